"""Exported declarations of Go as symbols."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from prview.domain.breaking.symbols import Api, Duty, Parameter, Passing, Role, Symbol, one_line
from prview.domain.findings import Level
from prview.signals.breaking.grammar import canon, has, header, named, parse
from prview.signals.syntax import line_of
from prview.signals.syntax import source as node_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tree_sitter import Node

_NEW_METHOD = Duty(Level.WARNING, "types that implement it have to add it")
_TAG = re.compile(r"`[^`]*`")


@dataclass
class GoFile:
    """What one file exports, and the package it says it belongs to."""

    path: str
    package: str
    api: Api = field(default_factory=dict)


def read_file(path: str, source: str) -> GoFile:
    """Read one file. Raises GrammarError."""
    root = parse("go", source)
    clause = next(named(root, "package_clause"), None)
    found = GoFile(path, node_text(next(named(clause), None)))
    for node in named(root):
        for symbol in _declared(node, path):
            found.api.setdefault(symbol.name, symbol)
    return found


def _declared(node: Node, path: str) -> Iterator[Symbol]:
    if node.type == "function_declaration":
        name = node_text(node.child_by_field_name("name"))
        if _exported(name):
            yield _function(name, "function", node, path)
    elif node.type == "method_declaration":
        yield from _method(node, path)
    elif node.type == "type_declaration":
        for item in named(node, "type_spec", "type_alias"):
            yield from _type(item, path)
    elif node.type in {"const_declaration", "var_declaration"}:
        word = "constant" if node.type == "const_declaration" else "variable"
        for item in _specs(node):
            yield from _values(item, word, path)


def _specs(node: Node) -> Iterator[Node]:
    for item in named(node):
        if item.type == "var_spec_list":
            yield from named(item, "var_spec")
        elif item.type in {"const_spec", "var_spec"}:
            yield item


def _exported(name: str) -> bool:
    return name[:1].isupper()


def _function(
    name: str, word: str, node: Node, path: str, *, modifiers: frozenset[str] = frozenset()
) -> Symbol:
    return Symbol(
        name,
        word,
        Role.FUNCTION,
        line_of(node),
        header(node, node.child_by_field_name("body")),
        path,
        parameters=tuple(_parameters(node.child_by_field_name("parameters"))),
        returns=_results(node.child_by_field_name("result")),
        generics=canon(node.child_by_field_name("type_parameters")),
        modifiers=modifiers,
    )


def _parameters(listed: Node | None) -> Iterator[Parameter]:
    number = 0
    for item in named(listed, "parameter_declaration", "variadic_parameter_declaration"):
        names = [node_text(one) for one in item.children_by_field_name("name")] or [""]
        kind = canon(item.child_by_field_name("type"))
        rest = item.type == "variadic_parameter_declaration"
        for name in names:
            number += 1
            label = name if name not in {"", "_"} else f"#{number}"
            passing = Passing.REST if rest else Passing.POSITIONAL
            yield Parameter(label, passing, required=not rest, type=kind)


def _results(node: Node | None) -> str | None:
    """The types of the results; their names are nobody's business."""
    if node is None:
        return None
    if node.type != "parameter_list":
        return canon(node)
    return ",".join(parameter.type or "" for parameter in _parameters(node))


def _method(node: Node, path: str) -> Iterator[Symbol]:
    receiver = next(named(node.child_by_field_name("receiver"), "parameter_declaration"), None)
    kind = receiver.child_by_field_name("type") if receiver else None
    pointer = kind is not None and kind.type == "pointer_type"
    target = next(named(kind), None) if pointer else kind
    if target is not None and target.type == "generic_type":
        target = target.child_by_field_name("type")
    owner, name = node_text(target), node_text(node.child_by_field_name("name"))
    if _exported(owner) and _exported(name):
        modifiers = frozenset({"of a pointer"} if pointer else ())
        yield _function(f"{owner}.{name}", "method", node, path, modifiers=modifiers)


def _type(node: Node, path: str) -> Iterator[Symbol]:
    name = node_text(node.child_by_field_name("name"))
    kind = node.child_by_field_name("type")
    if not _exported(name) or kind is None:
        return
    word = {"struct_type": "struct", "interface_type": "interface"}.get(kind.type, "type")
    generics = canon(node.child_by_field_name("type_parameters"))
    whole = word == "type"
    members = list(_members(name, kind, path))
    yield Symbol(
        name,
        word,
        Role.TYPE,
        line_of(node),
        one_line("type " + (node_text(node) if whole else f"{name}{generics} {word}")),
        path,
        shape=canon(kind) if whole else word,
        generics=generics,
        bases=tuple(_embedded(kind)),
    )
    yield from members


def _members(owner: str, kind: Node, path: str) -> Iterator[Symbol]:
    if kind.type == "struct_type":
        for item in named(next(named(kind, "field_declaration_list"), None), "field_declaration"):
            shape = canon(item.child_by_field_name("type"))
            for key in item.children_by_field_name("name"):
                if _exported(node_text(key)):
                    shown = one_line(_TAG.sub("", node_text(item)))
                    yield Symbol(
                        f"{owner}.{node_text(key)}",
                        "field",
                        Role.VALUE,
                        line_of(item),
                        shown,
                        path,
                        shape=shape,
                    )
    elif kind.type == "interface_type":
        methods = list(named(kind, "method_elem"))
        names = [node_text(item.child_by_field_name("name")) for item in methods]
        sealed = any(not _exported(name) for name in names)
        for name, item in zip(names, methods, strict=True):
            if _exported(name):
                symbol = _function(f"{owner}.{name}", "method", item, path)
                yield symbol if sealed else _with_duty(symbol)


def _with_duty(symbol: Symbol) -> Symbol:
    return replace(symbol, duty=_NEW_METHOD)


def _embedded(kind: Node) -> Iterator[str]:
    """Types that a struct or an interface takes its members from."""
    if kind.type == "struct_type":
        for item in named(next(named(kind, "field_declaration_list"), None), "field_declaration"):
            name = node_text(item.child_by_field_name("type")).rpartition(".")[2]
            if not item.children_by_field_name("name") and _exported(name):
                yield ("*" if has(item, "*") else "") + canon(item.child_by_field_name("type"))
    elif kind.type == "interface_type":
        for item in named(kind, "type_elem"):
            yield canon(item)


def _values(node: Node, word: str, path: str) -> Iterator[Symbol]:
    shape = canon(node.child_by_field_name("type"))
    for key in node.children_by_field_name("name"):
        name = node_text(key)
        if _exported(name):
            shown = f"{'const' if word == 'constant' else 'var'} {name}" + (f" {shape}" if shape else "")
            yield Symbol(name, word, Role.VALUE, line_of(key), shown, path, shape=shape)
