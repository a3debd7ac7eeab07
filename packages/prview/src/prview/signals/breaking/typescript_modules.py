"""Files of TypeScript and JavaScript as modules: what each exports itself, and what it passes on."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from prview.domain.breaking.symbols import Api, Role, Symbol, one_line
from prview.signals.breaking.grammar import error_outside_bodies, named
from prview.signals.breaking.typescript_symbols import declarations, symbols
from prview.signals.syntax import line_of, parse
from prview.signals.syntax import source as node_text

if TYPE_CHECKING:
    from tree_sitter import Node

EXTENSIONS = (".ts", ".tsx", ".d.ts", ".mts", ".cts", ".d.mts", ".js", ".jsx", ".mjs", ".cjs")
_DYNAMIC = re.compile(r"\bmodule\.exports\b|^\s*exports\.", re.MULTILINE)


@dataclass(frozen=True)
class Forward:
    """A name that comes from another file: `name` there, or `*` for all of it under one name."""

    source: str
    name: str
    line: int
    shown: str


@dataclass
class TsModule:
    """The exports of one file. `stars` are the sources it re-exports whole."""

    path: str
    api: Api = field(default_factory=dict)
    forwards: dict[str, Forward] = field(default_factory=dict)
    stars: dict[str, int] = field(default_factory=dict)
    unread_line: int | None = None
    """Where something stands that the grammar does not know: then what is missing may still be there."""

    @property
    def names(self) -> list[str]:
        """Every name it exports itself or forwards by name, members left out."""
        return [*(name for name, symbol in self.api.items() if not symbol.owner), *self.forwards]


def grammar_of(path: str) -> str:
    """The grammar for a file's extension."""
    suffix = PurePosixPath(path).suffix
    if suffix in {".tsx", ".jsx", ".js"}:
        return "tsx" if suffix == ".tsx" else "javascript"
    return "javascript" if suffix in {".mjs", ".cjs"} else "typescript"


def language_of(path: str) -> str:
    """The name of a file's language."""
    return "JavaScript" if grammar_of(path) == "javascript" else "TypeScript"


def read_module(path: str, source: str) -> TsModule:
    """Read one file; statements that the grammar does not know are left out."""
    root = parse(grammar_of(path), source)
    reader = _Reader(path)
    for node in named(root):
        wrong = error_outside_bodies(node)
        if wrong is None:
            reader.statement(node)
        elif reader.module.unread_line is None:
            reader.module.unread_line = line_of(wrong)
    if _DYNAMIC.search(source):
        for node in named(root, "expression_statement"):
            reader.assignment(node)
    reader.finish()
    return reader.module


class _Reader:
    """Collects declarations and imports first: an export may stand above what it names."""

    def __init__(self, path: str) -> None:
        self.module = TsModule(path)
        self._declared: dict[str, list[Node]] = {}
        self._imported: dict[str, Forward] = {}
        self._wanted: list[tuple[str, str, int]] = []

    def statement(self, node: Node) -> None:
        if node.type == "import_statement":
            self._import(node)
        elif node.type == "export_statement":
            self._export(node)
        else:
            self._declare(node)

    def _declare(self, node: Node) -> list[str]:
        names = []
        for name, declared in declarations(node):
            self._declared.setdefault(name, []).append(declared)
            names.append(name)
        return names

    def _import(self, node: Node) -> None:
        source = _string(node.child_by_field_name("source"))
        clause = next(named(node, "import_clause"), None)
        for item in named(clause):
            if item.type == "identifier":
                self._imported[node_text(item)] = Forward(
                    source, "default", line_of(item), one_line(node_text(node))
                )
            elif item.type == "namespace_import":
                name = node_text(next(named(item, "identifier"), None))
                self._imported[name] = Forward(source, "*", line_of(item), one_line(node_text(node)))
            for one in named(item, "import_specifier"):
                name = node_text(one.child_by_field_name("name"))
                alias = node_text(one.child_by_field_name("alias")) or name
                self._imported[alias] = Forward(source, name, line_of(one), one_line(node_text(node)))

    def _export(self, node: Node) -> None:
        source = node.child_by_field_name("source")
        if source is not None:
            self._forward(node, _string(source))
        elif (declaration := node.child_by_field_name("declaration")) is not None:
            default = any(child.type == "default" for child in node.children)
            self._export_declaration(declaration, default=default)
        elif (value := node.child_by_field_name("value")) is not None:
            self._export_value("default", value)
        else:
            self._export_list(node)

    def _forward(self, node: Node, source: str) -> None:
        for item in named(node):
            if item.type == "namespace_export":
                name = node_text(next(named(item), None))
                self.module.forwards[name] = Forward(source, "*", line_of(node), one_line(node_text(node)))
            for one in named(item, "export_specifier"):
                name = node_text(one.child_by_field_name("name"))
                alias = node_text(one.child_by_field_name("alias")) or name
                self.module.forwards[alias] = Forward(
                    source, name, line_of(one), f"{one_line(node_text(one))} from {source}"
                )
        if any(child.type == "*" for child in node.children):
            self.module.stars[source] = line_of(node)

    def _export_declaration(self, node: Node, *, default: bool) -> None:
        if default:
            declared = [item for _, item in declarations(node)] or [node]
            self._add("default", declared)
            for name, item in declarations(node):
                self._declared.setdefault(name, []).append(item)
            return
        for name in self._declare(node):
            self._wanted.append((name, name, line_of(node)))

    def _export_list(self, node: Node) -> None:
        for clause in named(node):
            if clause.type == "identifier":  # `export = name`
                self._wanted.append(("default", node_text(clause), line_of(node)))
            for one in named(clause, "export_specifier"):
                name = node_text(one.child_by_field_name("name"))
                alias = node_text(one.child_by_field_name("alias")) or name
                self._wanted.append((alias, name, line_of(one)))

    def _export_value(self, name: str, value: Node) -> None:
        if value.type == "identifier":
            self._wanted.append((name, node_text(value), line_of(value)))
        else:
            self._add(name, [value])

    def assignment(self, node: Node) -> None:
        """`module.exports = …` and `exports.name = …`."""
        assigned = next(named(node, "assignment_expression"), None)
        left = node_text(assigned.child_by_field_name("left")) if assigned else ""
        right = assigned.child_by_field_name("right") if assigned else None
        if right is None or not left.startswith(("module.exports", "exports.")):
            return
        name = left.removeprefix("module.").removeprefix("exports").removeprefix(".")
        if name:
            self._export_value(name, right)
        elif right.type == "object":
            for item in named(right):
                self._object_entry(item)
        else:
            self._export_value("default", right)

    def _object_entry(self, item: Node) -> None:
        if item.type == "shorthand_property_identifier":
            self._wanted.append((node_text(item), node_text(item), line_of(item)))
        elif item.type == "method_definition":
            self._add(node_text(item.child_by_field_name("name")), [item])
        elif key := item.child_by_field_name("key"):
            value = item.child_by_field_name("value")
            if value is not None:
                self._export_value(node_text(key).strip("'\""), value)

    def finish(self) -> None:
        """Match the exported names with what was declared or imported."""
        for public, local, where in self._wanted:
            if local in self._declared:
                self._add(public, self._declared[local])
            elif local in self._imported:
                self.module.forwards[public] = self._imported[local]
            else:
                self.module.api[public] = Symbol(
                    public, "name", Role.VALUE, where, one_line(local), self.module.path
                )

    def _add(self, name: str, nodes: list[Node]) -> None:
        for symbol in symbols(name, nodes, self.module.path):
            self.module.api.setdefault(symbol.name, symbol)


def _string(node: Node | None) -> str:
    return node_text(node).strip("'\"`")
