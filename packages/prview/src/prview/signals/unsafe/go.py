"""Unsafe constructs of Go, through tree-sitter."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from prview.domain.findings import Level
from prview.signals.syntax import captures, parse, source
from prview.signals.unsafe.construct import HTML, SHELL, SQL, TLS, WEAK_HASH, Construct, Danger, at_node

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tree_sitter import Node

_QUERY = """
(import_spec) @import
(call_expression) @call
(keyed_element) @pair
(selector_expression) @selector
"""
_POINTER = Danger("unsafe-code", "turns off the type checks of the language")
_SHELLS = frozenset({"sh", "bash", "zsh", "/bin/sh", "/bin/bash", "cmd", "cmd.exe", "powershell"})
_COMMANDS = {"exec.Command": 0, "exec.CommandContext": 1}
_WEAK = re.compile(r"^(?:md5|sha1)\.(?:New|Sum)$")
_QUERIES = re.compile(r"\.(?:Query|QueryRow|Exec|Prepare)(?:Context)?$")
_STATEMENT = re.compile(r"^[\"`]\s*(?:select|insert|update|delete|drop|alter|create)\b", re.IGNORECASE)
_TEMPLATE = frozenset({"template.HTML", "template.JS", "template.URL"})
_PACKAGES = {
    "os/exec": "exec",
    "crypto/md5": "md5",
    "crypto/sha1": "sha1",
    "html/template": "template",
    "unsafe": "unsafe",
    "fmt": "fmt",
}


def go_constructs(text: str) -> list[Construct]:
    """All unsafe constructs of a file."""
    found = captures("go", parse("go", text), _QUERY)
    packages = _packages(found.get("import", []))
    constructs = [item for node in found.get("call", []) for item in _call(node, packages)]
    constructs += [
        at_node(TLS, Level.WARNING, node)
        for node in found.get("pair", [])
        if re.fullmatch(r"InsecureSkipVerify\s*:\s*true", source(node))
    ]
    constructs += [
        at_node(_POINTER, Level.WARNING, node)
        for node in found.get("selector", [])
        if _known(node, packages) == "unsafe.Pointer"
    ]
    return sorted(constructs, key=lambda item: (item.line, item.column, item.rule))


def _packages(imports: list[Node]) -> dict[str, str]:
    """The local name of each package that matters to its usual name."""
    found: dict[str, str] = {}
    for node in imports:
        usual = _PACKAGES.get(source(node.child_by_field_name("path")).strip('"`'))
        if usual:
            found[source(node.child_by_field_name("name")) or usual] = usual
    return found


def _known(node: Node | None, packages: Mapping[str, str]) -> str:
    """`exec.Command` for a selector of an imported package, whatever its local name; else its text."""
    owner, dot, name = source(node).partition(".")
    if dot and owner in packages:
        return f"{packages[owner]}.{name}"
    return f".{name}" if owner in packages.values() else source(node)


def _call(node: Node, packages: Mapping[str, str]) -> Iterator[Construct]:
    name = _known(node.child_by_field_name("function"), packages)
    imported = name.partition(".")[0] in packages.values()
    arguments = _arguments(node)
    if name in _COMMANDS and imported:
        yield from _command(node, arguments[_COMMANDS[name] :])
    elif _WEAK.match(name) and imported:
        yield at_node(WEAK_HASH, Level.NOTE, node)
    elif name in _TEMPLATE and imported and arguments and not _is_text(arguments[0]):
        yield at_node(HTML, Level.WARNING, node)
    elif _QUERIES.search(name) and any(_is_built(argument, packages) for argument in arguments[:2]):
        yield at_node(SQL, Level.WARNING, node)


def _command(node: Node, arguments: list[Node]) -> Iterator[Construct]:
    if not arguments or source(arguments[0]).strip('"`') not in _SHELLS:
        return
    constant = all(_is_text(argument) for argument in arguments)
    yield at_node(SHELL, SHELL.graded(constant=constant) or Level.NOTE, node)


def _is_built(node: Node, packages: Mapping[str, str]) -> bool:
    """Whether an argument is SQL with values put into its text."""
    if node.type == "binary_expression":
        right = node.child_by_field_name("right")
        return bool(_STATEMENT.match(source(node))) and right is not None and not _is_text(right)
    if node.type != "call_expression":
        return False
    arguments = _arguments(node)
    formats = _known(node.child_by_field_name("function"), packages) == "fmt.Sprintf"
    return formats and len(arguments) > 1 and bool(_STATEMENT.match(source(arguments[0])))


def _is_text(node: Node) -> bool:
    return node.type in {"interpreted_string_literal", "raw_string_literal"}


def _arguments(node: Node) -> list[Node]:
    arguments = node.child_by_field_name("arguments")
    return [child for child in arguments.named_children if child.type != "comment"] if arguments else []
