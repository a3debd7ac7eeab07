"""Declarations of TypeScript and JavaScript as symbols."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from prview.domain.breaking.symbols import Duty, Parameter, Passing, Role, Symbol, one_line
from prview.domain.findings import Level
from prview.signals.breaking.grammar import canon, has, header, line, named, text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tree_sitter import Node

_FUNCTIONS = frozenset(
    {"function_declaration", "generator_function_declaration", "function_signature", "function_expression"}
    | {"generator_function", "arrow_function"}
)
_CLASSES = frozenset({"class_declaration", "abstract_class_declaration", "class"})
_METHODS = frozenset({"method_definition", "method_signature", "abstract_method_signature"})
_NEW_PROPERTY = Duty(Level.NOTE, "whoever builds such an object by hand may have to add it")
_NEW_ABSTRACT = Duty(Level.WARNING, "subclasses have to implement it")


def declarations(node: Node) -> Iterator[tuple[str, Node]]:
    """The names that a top-level declaration declares, each with the node that says what it is."""
    if node.type in {"lexical_declaration", "variable_declaration"}:
        for item in named(node, "variable_declarator"):
            yield text(item.child_by_field_name("name")), item
    elif node.type == "ambient_declaration":
        for item in named(node):
            yield from declarations(item)
    elif node.type == "expression_statement":  # a namespace that stands alone
        for item in named(node, "internal_module"):
            yield from declarations(item)
    elif name := node.child_by_field_name("name"):
        yield text(name), node


def symbols(name: str, nodes: list[Node], path: str) -> list[Symbol]:
    """The symbol of one name and of its members. Several nodes are the overloads of one function."""
    functions = [node for node in nodes if node.type in _FUNCTIONS]
    if len(functions) > 1:
        return [_overloaded(name, functions, path)]
    found: list[Symbol] = []
    for node in nodes:  # a class and an interface of one name are merged by the language
        found += _declared(name, node, path)
    return found


def _declared(name: str, node: Node, path: str) -> list[Symbol]:
    read = _READERS.get(node.type)
    if read:
        return read(name, node, path)
    return [Symbol(name, "value", Role.VALUE, line(node), header(node, None), path)]


def _variable(name: str, node: Node, path: str) -> list[Symbol]:
    value = node.child_by_field_name("value")
    if value is not None and value.type in _FUNCTIONS and not node.child_by_field_name("type"):
        return [_function(name, value, path, shown=header(node, value.child_by_field_name("body")))]
    if value is not None and value.type == "class":
        return _class(name, value, path)
    return [
        Symbol(
            name,
            "variable",
            Role.VALUE,
            line(node),
            header(node, value),
            path,
            shape=_type(node.child_by_field_name("type")),
        )
    ]


def _function(name: str, node: Node, path: str, *, shown: str = "", word: str = "function") -> Symbol:
    return Symbol(
        name,
        word,
        Role.FUNCTION,
        line(node),
        shown or header(node, node.child_by_field_name("body")),
        path,
        parameters=tuple(_parameters(node)),
        returns=_type(node.child_by_field_name("return_type")) or None,
        generics=canon(node.child_by_field_name("type_parameters")),
        modifiers=_modifiers(node),
    )


def _overloaded(name: str, nodes: list[Node], path: str) -> Symbol:
    """The implementation of an overloaded function cannot be called, its signatures can."""
    signatures = [node for node in nodes if node.child_by_field_name("body") is None] or nodes
    return Symbol(
        name,
        "function",
        Role.FUNCTION,
        line(nodes[0]),
        header(signatures[0], signatures[0].child_by_field_name("body")),
        path,
        overloads=frozenset(
            canon(item.child_by_field_name("parameters")) + canon(item.child_by_field_name("return_type"))
            for item in signatures
        ),
    )


def _modifiers(node: Node) -> frozenset[str]:
    words = ("static", "readonly", "abstract", "async")
    found = {word for word in words if has(node, word)}
    if has(node, "?"):
        found.add("optional")
    return frozenset(found)


def _parameters(node: Node) -> Iterator[Parameter]:
    single = node.child_by_field_name("parameter")  # `x => …`
    if single is not None:
        yield Parameter(text(single))
    for index, item in enumerate(named(node.child_by_field_name("parameters"))):
        if item.type != "comment" and text(item.child_by_field_name("pattern")) != "this":
            yield _parameter(item, index)


def _parameter(item: Node, index: int) -> Parameter:
    pattern = item.child_by_field_name("pattern") or item.child_by_field_name("left") or item
    rest = pattern.type == "rest_pattern"
    inner = next(named(pattern), pattern) if rest else pattern
    name = text(inner) if inner.type == "identifier" else f"#{index + 1}"
    value = item.child_by_field_name("value") or item.child_by_field_name("right")
    optional = rest or item.type == "optional_parameter" or value is not None
    return Parameter(
        name,
        Passing.REST if rest else Passing.POSITIONAL,
        required=not optional,
        type=_type(item.child_by_field_name("type")) or None,
        default=canon(value) or None,
    )


def _type(annotation: Node | None) -> str:
    return canon(annotation).removeprefix(":").strip()


def _class(name: str, node: Node, path: str) -> list[Symbol]:
    body = node.child_by_field_name("body")
    members = [item for child in named(body) for item in _class_member(name, child, path)]
    constructor = next((item for item in members if item.name == f"{name}.constructor"), None)
    found = Symbol(
        name,
        "class",
        Role.TYPE,
        line(node),
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
        yield _with_duty(_function(name, node, path, word="method"), duty)
        if text(key) == "constructor":
            yield from _constructor_properties(owner, node, path)
    elif node.type in _METHODS or node.type in {"public_field_definition", "field_definition"}:
        yield _property(name, node, path)


def _key(node: Node) -> str:
    """A member's name; a dot in a quoted one must not look like an owner."""
    return text(node).replace(".", "·")


def _constructor_properties(owner: str, node: Node, path: str) -> Iterator[Symbol]:
    """`constructor(public name: string)` declares a property."""
    for item in named(node.child_by_field_name("parameters"), "required_parameter", "optional_parameter"):
        declared = has(item, "accessibility_modifier", "readonly") and not _hidden(item)
        if declared and (pattern := item.child_by_field_name("pattern")):
            shown = one_line(text(item))
            shape = _type(item.child_by_field_name("type"))
            yield Symbol(
                f"{owner}.{text(pattern)}", "property", Role.VALUE, line(item), shown, path, shape=shape
            )


def _hidden(node: Node) -> bool:
    return any(text(item) in {"private", "protected"} for item in named(node, "accessibility_modifier"))


def _property(name: str, node: Node, path: str, *, duty: Duty | None = None) -> Symbol:
    value = node.child_by_field_name("value") or node.child_by_field_name("body")
    written = node.child_by_field_name("type") or node.child_by_field_name("return_type")
    modifiers = _modifiers(node) - {"async", "abstract"}
    if has(node, "get"):
        modifiers |= {"readonly"}
    shape = _type(written)
    if "optional" in modifiers:  # `a?: T` and `a?: T | undefined` are the same to nearly every project
        shape = shape.removesuffix("|undefined")
    return Symbol(
        name,
        "property",
        Role.VALUE,
        line(node),
        header(node, value),
        path,
        shape=shape,
        modifiers=modifiers,
        duty=None if "optional" in modifiers else duty,
    )


def _with_duty(symbol: Symbol, duty: Duty | None) -> Symbol:
    return replace(symbol, duty=duty) if duty else symbol


def _interface(name: str, node: Node, path: str) -> list[Symbol]:
    body = node.child_by_field_name("body")
    clause = next(named(node, "extends_type_clause"), None)
    found = Symbol(
        name,
        "interface",
        Role.TYPE,
        line(node),
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
            symbol = _function(name, node, path, word="method")
            yield _with_duty(symbol, None if "optional" in symbol.modifiers else _NEW_PROPERTY)
        else:
            yield _property(name, node, path, duty=_NEW_PROPERTY)


def _alias(name: str, node: Node, path: str) -> list[Symbol]:
    """An object type has members, a union of literals has alternatives, another type is compared whole."""
    value = node.child_by_field_name("value")
    generics = canon(node.child_by_field_name("type_parameters"))
    found = Symbol(name, "type", Role.TYPE, line(node), one_line(text(node)), path, generics=generics)
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
        line(node),
        one_line(shown),
        path,
        duty=duty,
    )


def _enum(name: str, node: Node, path: str) -> list[Symbol]:
    body = node.child_by_field_name("body")
    found = Symbol(name, "enum", Role.TYPE, line(node), header(node, body), path)
    keys = [
        item.child_by_field_name("name") if item.type == "enum_assignment" else item for item in named(body)
    ]
    return [
        found,
        *(
            Symbol(f"{name}.{text(key)}", "enum member", Role.VALUE, line(key), one_line(text(key)), path)
            for key in keys
            if key is not None and key.type != "comment"
        ),
    ]


def _namespace(name: str, node: Node, path: str) -> list[Symbol]:
    body = node.child_by_field_name("body")
    found = [Symbol(name, "namespace", Role.TYPE, line(node), header(node, body), path)]
    for item in named(body, "export_statement"):
        inner = item.child_by_field_name("declaration")
        for key, declared in declarations(inner) if inner else ():
            found += _declared(f"{name}.{key}", declared, path)
    return found


def _one_function(name: str, node: Node, path: str) -> list[Symbol]:
    return [_function(name, node, path)]


_READERS: dict[str, Callable[[str, Node, str], list[Symbol]]] = {
    "variable_declarator": _variable,
    "interface_declaration": _interface,
    "type_alias_declaration": _alias,
    "enum_declaration": _enum,
    "internal_module": _namespace,
    "module": _namespace,
    **dict.fromkeys(_FUNCTIONS, _one_function),
    **dict.fromkeys(_CLASSES, _class),
}
