"""What a JavaScript or TypeScript module imports and exports, through tree-sitter."""

from __future__ import annotations

import posixpath
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from prview.signals.syntax import captures, line_of, parse, source

if TYPE_CHECKING:
    from tree_sitter import Node

_IMPORTS = """
(import_statement source: (string) @specifier) @statement
(export_statement source: (string) @specifier) @statement
(call_expression function: (import) arguments: (arguments . (string) @specifier)) @statement
(call_expression function: (identifier) @require arguments: (arguments . (string) @specifier)) @statement
"""
_EXPORTS = "(program (export_statement) @export)"
_LAZY = frozenset({"call_expression"})
_EXTENSIONS = (
    ".ts",
    ".tsx",
    ".d.ts",
    ".mts",
    ".cts",
    ".js",
    ".jsx",
    ".mjs",
    ".cjs",
    ".json",
    ".vue",
    ".svelte",
)
_WRITTEN_AS = {".js": (".ts", ".tsx", ".jsx"), ".mjs": (".mts",), ".cjs": (".cts",), ".jsx": (".tsx",)}
_NAMED = re.compile(r"(\w+)(?:\s+as\s+(\w+))?")
_DECLARED = re.compile(
    r"^export\s+(?:declare\s+)?(?:abstract\s+)?(?:async\s+)?"
    r"(?:function\*?|class|interface|type|enum|const\s+enum|namespace|module)\s+(\w+)"
)


@dataclass(frozen=True)
class ScriptImport:
    """One specifier. `names` are the exports it asks for by name; `type_only` vanishes when compiled.

    `lazy`: evaluated when it is reached (`require`, `import()`), not when the module is loaded.
    """

    specifier: str
    line: int
    names: tuple[str, ...] = ()
    type_only: bool = False
    lazy: bool = False


def script_imports(text: str, grammar: str) -> list[ScriptImport]:
    """Every import of a module, in order."""
    root = parse(grammar, text)
    found = captures(grammar, root, _IMPORTS)
    requires = {node.start_byte for node in found.get("require", []) if source(node) == "require"}
    return [
        _import(node, statement)
        for node in found.get("specifier", [])
        if (statement := _statement(node)) is not None
        and (_is_static(statement) or _is_dynamic(statement) or statement.start_byte in requires)
    ]


def exports(text: str, grammar: str) -> set[str] | None:
    """The names a module exports; None when it hands on all names of another (`export *`)."""
    found: set[str] = set()
    for node in captures(grammar, parse(grammar, text), _EXPORTS).get("export", []):
        statement = source(node)
        if re.match(r"export\s+(?:type\s+)?\*(?!\s*as\b)", statement):
            return None
        found |= _exported(node, statement)
    return found


def resolve(specifier: str, importer: str, paths: frozenset[str]) -> str | None:
    """The file of a relative specifier among `paths`; None when there is none, or it is not relative."""
    bare = specifier.split("?", 1)[0]
    if not bare.startswith((".", "/")):
        return None
    target = posixpath.normpath(posixpath.join(posixpath.dirname(importer), bare)).removeprefix("/")
    stem, extension = posixpath.splitext(target)
    candidates = [target, *(target + end for end in _EXTENSIONS)]
    candidates += [stem + end for end in _WRITTEN_AS.get(extension, ())]
    candidates += [posixpath.normpath(f"{target}/index{end}") for end in _EXTENSIONS]
    return next((path for path in candidates if path in paths), None)


def _statement(node: Node) -> Node | None:
    above = node.parent
    if above is not None and above.type == "arguments":
        above = above.parent
    return above


def _is_static(node: Node) -> bool:
    return node.type in {"import_statement", "export_statement"}


def _is_dynamic(node: Node) -> bool:
    return node.type == "call_expression" and source(node).startswith("import")


def _import(node: Node, statement: Node) -> ScriptImport:
    text = source(statement)
    before = text[: text.rfind(source(node))] if _is_static(statement) else ""
    return ScriptImport(
        source(node).strip("\"'`"),
        line_of(node),
        names=_asked(before),
        type_only=bool(re.match(r"(?:import|export)\s+type\b(?!\s*(?:from|,))", before)),
        lazy=statement.type in _LAZY,
    )


def _asked(before: str) -> tuple[str, ...]:
    inside = before.partition("{")[2].rpartition("}")[0]
    parts = (part.strip().removeprefix("type ") for part in inside.split(","))
    return tuple(match[1] for part in parts if (match := _NAMED.match(part)))


def _exported(node: Node, statement: str) -> set[str]:
    if re.match(r"export\s+default\b", statement) or re.match(r"export\s*=", statement):
        return {"default"}
    if match := re.match(r"export\s+\*\s*as\s+(\w+)", statement):
        return {match[1]}
    if match := re.match(r"export\s+(?:type\s+)?\{(.*?)\}", statement, re.DOTALL):
        parts = (part.strip().removeprefix("type ") for part in match[1].split(","))
        return {named[2] or named[1] for part in parts if (named := _NAMED.match(part))}
    if match := _DECLARED.match(statement):
        return {match[1]}
    return _variables(node)


def _variables(node: Node) -> set[str]:
    """The names of `export const a = 1, { b, c: d } = x;`."""
    found: set[str] = set()
    for declaration in node.named_children:
        for declarator in declaration.named_children:
            name = declarator.child_by_field_name("name")
            if declarator.type == "variable_declarator" and name is not None:
                found |= _pattern_names(name)
    return found


def _pattern_names(node: Node) -> set[str]:
    if node.type in {"identifier", "shorthand_property_identifier_pattern"}:
        return {source(node)}
    children = node.named_children
    if node.type == "pair_pattern":
        children = children[-1:]
    return set().union(*(_pattern_names(child) for child in children)) if children else set()
