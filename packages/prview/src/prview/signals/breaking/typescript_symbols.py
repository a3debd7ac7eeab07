"""Declarations of TypeScript and JavaScript as symbols."""

from __future__ import annotations

from typing import TYPE_CHECKING

from prview.domain.breaking.symbols import Role, Symbol
from prview.signals.breaking.grammar import header, named
from prview.signals.breaking.typescript_functions import FUNCTIONS, function, overloaded, written_type
from prview.signals.breaking.typescript_types import read_alias, read_class, read_enum, read_interface
from prview.signals.syntax import line_of, source

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tree_sitter import Node

_CLASSES = frozenset({"class_declaration", "abstract_class_declaration", "class"})


def declarations(node: Node) -> Iterator[tuple[str, Node]]:
    """The names that a top-level declaration declares, each with the node that says what it is."""
    if node.type in {"lexical_declaration", "variable_declaration"}:
        for item in named(node, "variable_declarator"):
            yield source(item.child_by_field_name("name")), item
    elif node.type == "ambient_declaration":
        for item in named(node):
            yield from declarations(item)
    elif node.type == "expression_statement":  # a namespace that stands alone
        for item in named(node, "internal_module"):
            yield from declarations(item)
    elif name := node.child_by_field_name("name"):
        yield source(name), node


def symbols(name: str, nodes: list[Node], path: str) -> list[Symbol]:
    """The symbol of one name and of its members. Several nodes are the overloads of one function."""
    functions = [node for node in nodes if node.type in FUNCTIONS]
    if len(functions) > 1:
        return [overloaded(name, functions, path)]
    found: list[Symbol] = []
    for node in nodes:  # a class and an interface of one name are merged by the language
        found += _declared(name, node, path)
    return found


def _declared(name: str, node: Node, path: str) -> list[Symbol]:
    read = _READERS.get(node.type)
    if read:
        return read(name, node, path)
    return [Symbol(name, "value", Role.VALUE, line_of(node), header(node, None), path)]


def _variable(name: str, node: Node, path: str) -> list[Symbol]:
    value = node.child_by_field_name("value")
    if value is not None and value.type in FUNCTIONS and not node.child_by_field_name("type"):
        return [function(name, value, path, shown=header(node, value.child_by_field_name("body")))]
    if value is not None and value.type == "class":
        return read_class(name, value, path)
    return [
        Symbol(
            name,
            "variable",
            Role.VALUE,
            line_of(node),
            header(node, value),
            path,
            shape=written_type(node.child_by_field_name("type")),
        )
    ]


def _namespace(name: str, node: Node, path: str) -> list[Symbol]:
    body = node.child_by_field_name("body")
    found = [Symbol(name, "namespace", Role.TYPE, line_of(node), header(node, body), path)]
    for item in named(body, "export_statement"):
        inner = item.child_by_field_name("declaration")
        for key, declared in declarations(inner) if inner else ():
            found += _declared(f"{name}.{key}", declared, path)
    return found


def _one_function(name: str, node: Node, path: str) -> list[Symbol]:
    return [function(name, node, path)]


_READERS: dict[str, Callable[[str, Node, str], list[Symbol]]] = {
    "variable_declarator": _variable,
    "interface_declaration": read_interface,
    "type_alias_declaration": read_alias,
    "enum_declaration": read_enum,
    "internal_module": _namespace,
    "module": _namespace,
    **dict.fromkeys(FUNCTIONS, _one_function),
    **dict.fromkeys(_CLASSES, read_class),
}
