"""Declarations of Rust as symbols. `pub(crate)` and its like are not public."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from prview.domain.breaking.symbols import Api, Duty, Parameter, Role, Symbol, one_line
from prview.domain.findings import Level
from prview.signals.breaking.grammar import canon, has, header, line, named, parse, text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tree_sitter import Node

_HIDDEN = re.compile(r"cfg\((?:test|all\(test\b)|doc\(hidden\)|^#\[test\]")
_DERIVE = re.compile(r"derive\(([^)]*)\)")
_NEW_VARIANT = Duty(Level.WARNING, "matches without a wildcard no longer compile")
_NEW_FIELD = Duty(Level.WARNING, "code that builds it by hand has to name it")
_NEW_REQUIREMENT = Duty(Level.WARNING, "types that implement it have to add it")
BUILDABLE = "buildable by hand"


@dataclass
class RustFile:
    """What one file declares. `modules`: child modules and whether they are public; `uses`: its `pub use`."""

    path: str
    api: Api = field(default_factory=dict)
    modules: dict[str, bool] = field(default_factory=dict)
    uses: dict[str, str] = field(default_factory=dict)
    globs: list[str] = field(default_factory=list)
    use_lines: dict[str, int] = field(default_factory=dict)


def read_file(path: str, module: str, source: str) -> RustFile:
    """Read one file as the module `module` (`""` for the crate's root). Raises GrammarError."""
    found = RustFile(path)
    _items(parse("rust", source), module, found, public=True)
    return found


def joined(module: str, name: str) -> str:
    """`module::name`."""
    return f"{module}::{name}" if module else name


def _items(node: Node, module: str, into: RustFile, *, public: bool) -> None:
    attributes: list[str] = []
    private = {
        text(item.child_by_field_name("name"))
        for item in named(node, "struct_item", "enum_item", "union_item")
        if not _is_pub(item)
    }
    for item in named(node):
        if item.type == "attribute_item":
            attributes.append(text(item))
            continue
        if "comment" in item.type:
            continue
        if not any(_HIDDEN.search(attribute) for attribute in attributes):
            _item(item, module, into, attributes, private, public=public)
        attributes = []


def _item(
    node: Node, module: str, into: RustFile, attributes: list[str], private: set[str], *, public: bool
) -> None:
    if node.type == "mod_item":
        _module(node, module, into, public=public)
    elif node.type == "impl_item":
        _impl(node, module, into, private)
    elif node.type == "foreign_mod_item":
        body = next(named(node, "declaration_list"), None)
        if body is not None:
            _items(body, module, into, public=public)
    elif node.type == "macro_definition":
        if any("macro_export" in attribute for attribute in attributes):
            name = text(node.child_by_field_name("name")) + "!"
            into.api[name] = Symbol(name, "macro", Role.FUNCTION, line(node), name, into.path)
    elif public and _is_pub(node):
        if node.type == "use_declaration":
            _use(node.child_by_field_name("argument"), "", line(node), into, module)
        else:
            _declared(node, module, into, attributes)


def _declared(node: Node, module: str, into: RustFile, attributes: list[str]) -> None:
    read = _READERS.get(node.type)
    name = text(node.child_by_field_name("name"))
    if read is None or not name:
        return
    for symbol in read(joined(module, name), node, into.path):
        into.api.setdefault(symbol.name, _attributed(symbol, attributes) if not symbol.owner else symbol)
    if any("non_exhaustive" in attribute for attribute in attributes):
        prefix = joined(module, name) + "."
        for key, symbol in into.api.items():
            if key.startswith(prefix):
                into.api[key] = replace(symbol, duty=None)


def _attributed(symbol: Symbol, attributes: list[str]) -> Symbol:
    derived = [
        name.strip().rpartition("::")[2]
        for attribute in attributes
        for listed in _DERIVE.findall(attribute)
        for name in listed.split(",")
        if name.strip()
    ]
    modifiers = symbol.modifiers
    if any("non_exhaustive" in attribute for attribute in attributes):
        modifiers = (modifiers | {"non_exhaustive"}) - {BUILDABLE}
    return replace(symbol, bases=(*symbol.bases, *derived), modifiers=modifiers)


def _is_pub(node: Node) -> bool:
    modifier = next(named(node, "visibility_modifier"), None)
    return modifier is not None and text(modifier) == "pub"


def _module(node: Node, module: str, into: RustFile, *, public: bool) -> None:
    name = joined(module, text(node.child_by_field_name("name")))
    body = node.child_by_field_name("body")
    into.modules[name] = _is_pub(node)
    if body is not None:
        _items(body, name, into, public=public and _is_pub(node))


def _use(node: Node | None, prefix: str, where: int, into: RustFile, module: str) -> None:
    """`pub use a::{b, c as d, e::*}`."""
    if node is None:
        return
    if node.type == "scoped_use_list":
        inner = prefix + text(node.child_by_field_name("path")) + "::"
        _use(node.child_by_field_name("list"), inner, where, into, module)
    elif node.type == "use_list":
        for item in named(node):
            _use(item, prefix, where, into, module)
    elif node.type == "use_wildcard":
        into.globs.append(prefix + text(node).removesuffix("::*").removesuffix("*"))
    else:
        renamed = node.type == "use_as_clause"
        path = prefix + text(node.child_by_field_name("path") if renamed else node)
        alias = text(node.child_by_field_name("alias")) if renamed else path.rpartition("::")[2]
        if alias == "self":
            path = path.removesuffix("::self")
            alias = path.rpartition("::")[2]
        into.uses[joined(module, alias)] = path
        into.use_lines[joined(module, alias)] = where


def _impl(node: Node, module: str, into: RustFile, private: set[str]) -> None:
    """What a type itself offers; what it implements of a trait is the trait's."""
    if node.child_by_field_name("trait") is not None:
        return
    kind = node.child_by_field_name("type")
    target = kind.child_by_field_name("type") or kind if kind else None
    name = text(target).rpartition("::")[2]
    if not name or name in private:
        return
    attributes: list[str] = []
    for item in named(node.child_by_field_name("body")):
        if item.type == "attribute_item":
            attributes.append(text(item))
            continue
        if _is_pub(item) and not any(_HIDDEN.search(attribute) for attribute in attributes):
            read = _READERS.get(item.type)
            key = f"{joined(module, name)}.{text(item.child_by_field_name('name'))}"
            for symbol in read(key, item, into.path) if read else ():
                word = "method" if symbol.word == "function" else symbol.word
                into.api.setdefault(symbol.name, replace(symbol, word=word))
        attributes = []


# --- declarations ---------------------------------------------------------------------------------------


def _function(name: str, node: Node, path: str) -> list[Symbol]:
    modifiers = next(named(node, "function_modifiers"), None)
    found = {word for word in ("async", "unsafe", "const") if modifiers and has(modifiers, word)}
    where = next(named(node, "where_clause"), None)
    return [
        Symbol(
            name,
            "function",
            Role.FUNCTION,
            line(node),
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
            name = text(pattern) if simple else f"#{index + 1}"
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
        line(node),
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
            line(item),
            one_line(text(item)),
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
                public = text(item) == "pub"
            elif item.type != "attribute_item" and "comment" not in item.type:
                yield str(number), item, public
                public, number = False, number + 1
        return
    for item in named(body, "field_declaration"):
        yield text(item.child_by_field_name("name")), item, _is_pub(item)


def _enum(name: str, node: Node, path: str) -> list[Symbol]:
    body = node.child_by_field_name("body")
    generics = canon(node.child_by_field_name("type_parameters"))
    found = [Symbol(name, "enum", Role.TYPE, line(node), header(node, body), path, generics=generics)]
    for item in named(body, "enum_variant"):
        key = f"{name}.{text(item.child_by_field_name('name'))}"
        shape = canon(item.child_by_field_name("body"))
        shown = one_line(text(item))
        found.append(
            Symbol(key, "variant", Role.VALUE, line(item), shown, path, shape=shape, duty=_NEW_VARIANT)
        )
    return found


def _trait(name: str, node: Node, path: str) -> list[Symbol]:
    body = node.child_by_field_name("body")
    bounds = node.child_by_field_name("bounds")
    found = Symbol(
        name,
        "trait",
        Role.TYPE,
        line(node),
        header(node, body),
        path,
        generics=canon(node.child_by_field_name("type_parameters")),
        bases=tuple(canon(item) for item in named(bounds)),
        modifiers=frozenset({"unsafe"} if has(node, "unsafe") else ()),
    )
    members = []
    for item in named(body):
        read = _READERS.get(item.type)
        key = item.child_by_field_name("name")
        for symbol in read(f"{name}.{text(key)}", item, path) if read and key else ():
            given = item.child_by_field_name("body") or item.child_by_field_name("value")
            word = "method" if symbol.role is Role.FUNCTION else symbol.word
            members.append(replace(symbol, word=word, duty=None if given else _NEW_REQUIREMENT))
    return [found, *members]


def _value(name: str, node: Node, path: str) -> list[Symbol]:
    shown = header(node, node.child_by_field_name("value"))
    word = "static" if node.type == "static_item" else "constant"
    shape = canon(node.child_by_field_name("type"))
    return [Symbol(name, word, Role.VALUE, line(node), shown, path, shape=shape)]


def _alias(name: str, node: Node, path: str) -> list[Symbol]:
    return [
        Symbol(
            name,
            "type",
            Role.TYPE,
            line(node),
            one_line(text(node).rstrip(";")),
            path,
            shape=canon(node.child_by_field_name("type")),
            generics=canon(node.child_by_field_name("type_parameters")),
        )
    ]


_READERS: dict[str, Callable[[str, Node, str], list[Symbol]]] = {
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
