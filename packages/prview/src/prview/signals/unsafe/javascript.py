"""Unsafe constructs of JavaScript and TypeScript, through tree-sitter."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from prview.domain.findings import Level
from prview.signals.syntax import captures, parse, source
from prview.signals.unsafe.construct import (
    EVAL,
    HTML,
    SHELL,
    TLS,
    WEAK_HASH,
    Construct,
    Danger,
    at_node,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tree_sitter import Node

_QUERY = """
(call_expression) @call
(new_expression) @new
(assignment_expression) @assignment
(augmented_assignment_expression) @assignment
(pair) @pair
(import_statement) @import
(variable_declarator) @declaration
"""
_JSX = "(jsx_attribute) @attribute"
_MODULE = re.compile(r"""["'](?:node:)?child_process["']""")
_NAMES = re.compile(r"\b(exec|execSync)\b(?:\s*(?:as|:)\s*(\w+))?")
_WHOLE = re.compile(r"^(?:import\s+)?(?:\*\s*as\s+)?(\w+)\s*(?:=|from)")
_HTML_PROPERTIES = frozenset({"innerHTML", "outerHTML", "srcdoc"})
_CALLS = {
    **dict.fromkeys(("eval", "window.eval", "globalThis.eval", "Function"), EVAL),
    **dict.fromkeys(("vm.runInNewContext", "vm.runInThisContext", "vm.runInContext"), EVAL),
    **dict.fromkeys(("document.write", "document.writeln"), HTML),
}
_METHODS = {"insertAdjacentHTML": (HTML, 1), "bypassSecurityTrustHtml": (HTML, 0)}
_TIMERS = frozenset({"setTimeout", "setInterval", "window.setTimeout", "window.setInterval"})
_SPAWNS = frozenset({"spawn", "spawnSync", "execFile", "execFileSync"})
_WEAK = frozenset({"md5", "sha1"})


def javascript_constructs(text: str, grammar: str) -> list[Construct]:
    """All unsafe constructs of a script."""
    query = _QUERY if grammar == "typescript" else _QUERY + _JSX
    found = captures(grammar, parse(grammar, text), query)
    shells = _shells(found)
    constructs = [item for node in found.get("call", []) for item in _call(node, shells)]
    constructs += [item for node in found.get("new", []) for item in _new(node)]
    constructs += [item for node in found.get("assignment", []) for item in _assignment(node)]
    constructs += [item for node in found.get("pair", []) for item in _pair(node)]
    constructs += [
        at_node(HTML, Level.WARNING, node)
        for node in found.get("attribute", [])
        if node.children and source(node.children[0]) == "dangerouslySetInnerHTML"
    ]
    return sorted(constructs, key=lambda item: (item.line, item.column, item.rule))


def _shells(found: dict[str, list[Node]]) -> frozenset[str]:
    """The names under which this file calls `exec` of child_process."""
    names: set[str] = set()
    for node in (*found.get("import", []), *found.get("declaration", [])):
        text = source(node)
        if not _MODULE.search(text) or (node.type == "variable_declarator" and "require" not in text):
            continue
        before = text.partition("child_process")[0]
        names |= {match[2] or match[1] for match in _NAMES.finditer(before)}
        if whole := _WHOLE.match(before):
            names |= {f"{whole[1]}.exec", f"{whole[1]}.execSync"}
    return frozenset(names)


def _call(node: Node, shells: frozenset[str]) -> Iterator[Construct]:
    name = source(node.child_by_field_name("function"))
    arguments = _arguments(node)
    method = name.rpartition(".")[2]
    if danger := SHELL if name in shells else _CALLS.get(name):
        yield from _graded(danger, node, arguments[:1])
    elif method in _METHODS and "." in name:
        danger, position = _METHODS[method]
        yield from _graded(danger, node, arguments[position : position + 1])
    elif name in _TIMERS and arguments and arguments[0].type in {"string", "template_string"}:
        yield from _graded(EVAL, node, arguments[:1])
    elif method in _SPAWNS and any(_has_true(argument, "shell") for argument in arguments):
        yield from _graded(SHELL, node, arguments[:1])
    elif method == "createHash" and arguments and source(arguments[0]).strip("\"'`").lower() in _WEAK:
        yield at_node(WEAK_HASH, Level.NOTE, node)


def _new(node: Node) -> Iterator[Construct]:
    if source(node.child_by_field_name("constructor")) == "Function":
        yield from _graded(EVAL, node, _arguments(node)[-1:])


def _assignment(node: Node) -> Iterator[Construct]:
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    if left is None or right is None:
        return
    if left.type == "member_expression" and source(left).rpartition(".")[2] in _HTML_PROPERTIES:
        if source(right) not in {'""', "''", "``"}:  # emptying an element is what everybody does
            yield from _graded(HTML, node, [right])
    elif "NODE_TLS_REJECT_UNAUTHORIZED" in source(left) and "0" in source(right):
        yield at_node(TLS, Level.WARNING, node)


def _pair(node: Node) -> Iterator[Construct]:
    key, value = source(node.child_by_field_name("key")).strip("\"'"), node.child_by_field_name("value")
    if key == "rejectUnauthorized" and source(value) == "false":
        yield at_node(TLS, Level.WARNING, node)
    elif key == "dangerouslySetInnerHTML":
        yield at_node(HTML, Level.WARNING, node)


def _graded(danger: Danger, node: Node, inputs: list[Node]) -> Iterator[Construct]:
    level = danger.graded(constant=bool(inputs) and all(_is_constant(item) for item in inputs))
    if level and inputs:
        yield at_node(danger, level, node)


def _is_constant(node: Node) -> bool:
    if node.type == "template_string":
        return not any(child.type == "template_substitution" for child in node.children)
    return node.type in {"string", "number", "true", "false", "null", "undefined"}


def _arguments(node: Node) -> list[Node]:
    arguments = node.child_by_field_name("arguments")
    return [child for child in arguments.named_children if child.type != "comment"] if arguments else []


def _has_true(node: Node, key: str) -> bool:
    return node.type == "object" and any(
        child.type == "pair"
        and source(child.child_by_field_name("key")).strip("\"'") == key
        and source(child.child_by_field_name("value")) == "true"
        for child in node.named_children
    )
