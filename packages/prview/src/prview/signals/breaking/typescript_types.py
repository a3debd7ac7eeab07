"""Classes, interfaces, type aliases and enums of TypeScript and JavaScript as symbols."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from prview.domain.breaking.symbols import Duty, Role, Symbol, one_line
from prview.domain.findings import Level
from prview.signals.breaking.grammar import canon, has, header, named
from prview.signals.breaking.typescript_functions import function, modifiers_of, written_type
from prview.signals.syntax import line_of, source

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tree_sitter import Node

_METHODS = frozenset({"method_definition", "method_signature", "abstract_method_signature"})
_NEW_PROPERTY = Duty(Level.NOTE, "whoever builds such an object by hand may have to add it")
_NEW_ABSTRACT = Duty(Level.WARNING, "subclasses have to implement it")


def read_class(name: str, node: Node, path: str) -> list[Symbol]:
    """A class, its constructor as its parameters, and its public members."""
    body = node.child_by_field_name("body")
    members = [item for child in named(body) for item in _class_member(name, child, path)]
    constructor = next((item for item in members if item.name == f"{name}.constructor"), None)
    found = Symbol(
        name,
        "class",
        Role.TYPE,
        line_of(node),
        header(node, body),
        path,
        parameters=constructor.parameters if constructor else None,
        generics=canon(node.child_by_field_name("type_parameters")),
        modifiers=frozenset({"abstract"} if node.type == "abstract_class_declaration" else ()),
        bases=_bases(node),
    )
    return [found, *(item for item in members if item is not constructor)]


def _bases(node: Node) -> tuple[str, ...]:
    heritage = next(named(node, "class_heritage"), None)
    clause = next(named(heritage, "extends_clause"), None)
    if clause is not None:
        return tuple(canon(item) for item in clause.children_by_field_name("value"))
    return tuple(canon(item) for item in named(heritage, "identifier", "member_expression"))


def _class_member(owner: str, node: Node, path: str) -> Iterator[Symbol]:
    key = node.child_by_field_name("name") or node.child_by_field_name("property")
    if key is None or key.type in {"private_property_identifier", "computed_property_name"} or _hidden(node):
        return
    name = f"{owner}.{_key(key)}"
    if node.type in _METHODS and not has(node, "get", "set"):
        duty = _NEW_ABSTRACT if node.type == "abstract_method_signature" else None
        yield _with_duty(function(name, node, path, word="method"), duty)
        if source(key) == "constructor":
            yield from _constructor_properties(owner, node, path)
    elif node.type in _METHODS or node.type in {"public_field_definition", "field_definition"}:
        yield _property(name, node, path)


def _key(node: Node) -> str:
    """A member's name; a dot in a quoted one must not look like an owner."""
    return source(node).replace(".", "·")


def _constructor_properties(owner: str, node: Node, path: str) -> Iterator[Symbol]:
    """`constructor(public name: string)` declares a property."""
    for item in named(node.child_by_field_name("parameters"), "required_parameter", "optional_parameter"):
        declared = has(item, "accessibility_modifier", "readonly") and not _hidden(item)
        if declared and (pattern := item.child_by_field_name("pattern")):
            shown = one_line(source(item))
            shape = written_type(item.child_by_field_name("type"))
            yield Symbol(
                f"{owner}.{source(pattern)}", "property", Role.VALUE, line_of(item), shown, path, shape=shape
            )


def _hidden(node: Node) -> bool:
    return any(source(item) in {"private", "protected"} for item in named(node, "accessibility_modifier"))


def _property(name: str, node: Node, path: str, *, duty: Duty | None = None) -> Symbol:
    value = node.child_by_field_name("value") or node.child_by_field_name("body")
    written = node.child_by_field_name("type") or node.child_by_field_name("return_type")
    modifiers = modifiers_of(node) - {"async", "abstract"}
    if has(node, "get"):
        modifiers |= {"readonly"}
    shape = written_type(written)
    if "optional" in modifiers:  # `a?: T` and `a?: T | undefined` are the same to nearly every project
        shape = shape.removesuffix("|undefined")
    return Symbol(
        name,
        "property",
        Role.VALUE,
        line_of(node),
        header(node, value),
        path,
        shape=shape,
        modifiers=modifiers,
        duty=None if "optional" in modifiers else duty,
    )


def _with_duty(symbol: Symbol, duty: Duty | None) -> Symbol:
    return replace(symbol, duty=duty) if duty else symbol


def read_interface(name: str, node: Node, path: str) -> list[Symbol]:
    """An interface and its members."""
    body = node.child_by_field_name("body")
    clause = next(named(node, "extends_type_clause"), None)
    found = Symbol(
        name,
        "interface",
        Role.TYPE,
        line_of(node),
        header(node, body),
        path,
        generics=canon(node.child_by_field_name("type_parameters")),
        bases=tuple(canon(item) for item in named(clause)),
    )
    return [found, *_object_members(name, body, path)]


def _object_members(owner: str, body: Node | None, path: str) -> Iterator[Symbol]:
    for node in named(body, "property_signature", "method_signature"):
        key = node.child_by_field_name("name")
        if key is None or key.type == "computed_property_name":
            continue
        name = f"{owner}.{_key(key)}"
        if node.type == "method_signature":
            symbol = function(name, node, path, word="method")
            yield _with_duty(symbol, None if "optional" in symbol.modifiers else _NEW_PROPERTY)
        else:
            yield _property(name, node, path, duty=_NEW_PROPERTY)


def read_alias(name: str, node: Node, path: str) -> list[Symbol]:
    """An object type has members, a union of literals has alternatives, another type is compared whole."""
    value = node.child_by_field_name("value")
    generics = canon(node.child_by_field_name("type_parameters"))
    found = Symbol(name, "type", Role.TYPE, line_of(node), one_line(source(node)), path, generics=generics)
    if value is not None and value.type == "object_type":
        return [found, *_object_members(name, value, path)]
    if value is not None and value.type == "union_type":
        return [found, *(_alternative(name, item, path) for item in _alternatives(value))]
    return [replace(found, shape=canon(value))]


def _alternatives(union: Node) -> Iterator[Node]:
    for item in named(union):
        if item.type == "union_type":
            yield from _alternatives(item)
        elif item.type != "comment":
            yield item


def _alternative(owner: str, node: Node, path: str) -> Symbol:
    shown = canon(node)
    duty = Duty(Level.NOTE, "code that handles every alternative does not know it")
    return Symbol(
        f"{owner}.{shown.replace('.', '·')}",
        "alternative",
        Role.VALUE,
        line_of(node),
        one_line(shown),
        path,
        duty=duty,
    )


def read_enum(name: str, node: Node, path: str) -> list[Symbol]:
    """An enum and its members."""
    body = node.child_by_field_name("body")
    found = Symbol(name, "enum", Role.TYPE, line_of(node), header(node, body), path)
    keys = [
        item.child_by_field_name("name") if item.type == "enum_assignment" else item for item in named(body)
    ]
    return [
        found,
        *(
            Symbol(
                f"{name}.{source(key)}", "enum member", Role.VALUE, line_of(key), one_line(source(key)), path
            )
            for key in keys
            if key is not None and key.type != "comment"
        ),
    ]
