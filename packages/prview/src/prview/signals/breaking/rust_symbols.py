"""Declarations of Rust as symbols."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from prview.domain.breaking.symbols import Duty, Parameter, Role, Symbol, one_line
from prview.domain.findings import Level
from prview.signals.breaking.grammar import canon, has, header, named
from prview.signals.syntax import line_of, source

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tree_sitter import Node

_NEW_VARIANT = Duty(Level.WARNING, "matches without a wildcard no longer compile")
_NEW_FIELD = Duty(Level.WARNING, "code that builds it by hand has to name it")
_NEW_REQUIREMENT = Duty(Level.WARNING, "types that implement it have to add it")
BUILDABLE = "buildable by hand"


def is_pub(node: Node) -> bool:
    """Whether everybody can use an item: `pub(crate)` and its like are not public."""
    modifier = next(named(node, "visibility_modifier"), None)
    return modifier is not None and source(modifier) == "pub"


def _function(name: str, node: Node, path: str) -> list[Symbol]:
    modifiers = next(named(node, "function_modifiers"), None)
    found = {word for word in ("async", "unsafe", "const") if modifiers and has(modifiers, word)}
    where = next(named(node, "where_clause"), None)
    return [
        Symbol(
            name,
            "function",
            Role.FUNCTION,
            line_of(node),
            header(node, node.child_by_field_name("body")),
            path,
            parameters=tuple(_parameters(node)),
            returns=canon(node.child_by_field_name("return_type")) or None,
            generics=canon(node.child_by_field_name("type_parameters")) + canon(where),
            modifiers=frozenset(found),
        )
    ]


def _parameters(node: Node) -> Iterator[Parameter]:
    for index, item in enumerate(named(node.child_by_field_name("parameters"))):
        if item.type == "self_parameter":
            yield Parameter("self", type=canon(item).removeprefix("mut "))
        elif item.type == "parameter":
            pattern = item.child_by_field_name("pattern")
            simple = pattern is not None and pattern.type == "identifier"
            name = source(pattern) if simple else f"#{index + 1}"
            yield Parameter(name, type=canon(item.child_by_field_name("type")))
        elif item.type != "attribute_item" and "comment" not in item.type:
            yield Parameter(f"#{index + 1}", type=canon(item))


def _struct(name: str, node: Node, path: str) -> list[Symbol]:
    body = node.child_by_field_name("body")
    fields = list(_fields(body))
    open_ = bool(fields) and all(public for _, _, public in fields)
    duty = _NEW_FIELD if open_ else None
    found = Symbol(
        name,
        "union" if node.type == "union_item" else "struct",
        Role.TYPE,
        line_of(node),
        header(node, body),
        path,
        generics=canon(node.child_by_field_name("type_parameters")),
        modifiers=frozenset({BUILDABLE} if open_ else ()),
    )
    members = [
        Symbol(
            f"{name}.{key}",
            "field",
            Role.VALUE,
            line_of(item),
            one_line(source(item)),
            path,
            shape=canon(item.child_by_field_name("type") or item),
            duty=duty,
        )
        for key, item, public in fields
        if public
    ]
    return [found, *members]


def _fields(body: Node | None) -> Iterator[tuple[str, Node, bool]]:
    """Name, node and visibility of every field; those of a tuple struct are numbered."""
    if body is not None and body.type == "ordered_field_declaration_list":
        public, number = False, 0
        for item in named(body):
            if item.type == "visibility_modifier":
                public = source(item) == "pub"
            elif item.type != "attribute_item" and "comment" not in item.type:
                yield str(number), item, public
                public, number = False, number + 1
        return
    for item in named(body, "field_declaration"):
        yield source(item.child_by_field_name("name")), item, is_pub(item)


def _enum(name: str, node: Node, path: str) -> list[Symbol]:
    body = node.child_by_field_name("body")
    generics = canon(node.child_by_field_name("type_parameters"))
    found = [Symbol(name, "enum", Role.TYPE, line_of(node), header(node, body), path, generics=generics)]
    for item in named(body, "enum_variant"):
        key = f"{name}.{source(item.child_by_field_name('name'))}"
        shape = canon(item.child_by_field_name("body"))
        shown = one_line(source(item))
        found.append(
            Symbol(key, "variant", Role.VALUE, line_of(item), shown, path, shape=shape, duty=_NEW_VARIANT)
        )
    return found


def _trait(name: str, node: Node, path: str) -> list[Symbol]:
    body = node.child_by_field_name("body")
    bounds = node.child_by_field_name("bounds")
    found = Symbol(
        name,
        "trait",
        Role.TYPE,
        line_of(node),
        header(node, body),
        path,
        generics=canon(node.child_by_field_name("type_parameters")),
        bases=tuple(canon(item) for item in named(bounds)),
        modifiers=frozenset({"unsafe"} if has(node, "unsafe") else ()),
    )
    members = []
    for item in named(body):
        read = READERS.get(item.type)
        key = item.child_by_field_name("name")
        for symbol in read(f"{name}.{source(key)}", item, path) if read and key else ():
            given = item.child_by_field_name("body") or item.child_by_field_name("value")
            word = "method" if symbol.role is Role.FUNCTION else symbol.word
            members.append(replace(symbol, word=word, duty=None if given else _NEW_REQUIREMENT))
    return [found, *members]


def _value(name: str, node: Node, path: str) -> list[Symbol]:
    shown = header(node, node.child_by_field_name("value"))
    word = "static" if node.type == "static_item" else "constant"
    shape = canon(node.child_by_field_name("type"))
    return [Symbol(name, word, Role.VALUE, line_of(node), shown, path, shape=shape)]


def _alias(name: str, node: Node, path: str) -> list[Symbol]:
    return [
        Symbol(
            name,
            "type",
            Role.TYPE,
            line_of(node),
            one_line(source(node).rstrip(";")),
            path,
            shape=canon(node.child_by_field_name("type")),
            generics=canon(node.child_by_field_name("type_parameters")),
        )
    ]


READERS: dict[str, Callable[[str, Node, str], list[Symbol]]] = {
    "function_item": _function,
    "function_signature_item": _function,
    "struct_item": _struct,
    "union_item": _struct,
    "enum_item": _enum,
    "trait_item": _trait,
    "const_item": _value,
    "static_item": _value,
    "type_item": _alias,
    "associated_type": _alias,
}
