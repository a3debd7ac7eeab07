"""Rust files: their items, modules, re-exports and the methods of their types."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from prview.domain.breaking.symbols import Api, Role, Symbol
from prview.signals.breaking.grammar import named, parse
from prview.signals.breaking.rust_symbols import BUILDABLE, READERS, is_pub
from prview.signals.syntax import line_of, source

if TYPE_CHECKING:
    from tree_sitter import Node

_HIDDEN = re.compile(r"cfg\((?:test|all\(test\b)|doc\(hidden\)|^#\[test\]")
_DERIVE = re.compile(r"derive\(([^)]*)\)")


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
        source(item.child_by_field_name("name"))
        for item in named(node, "struct_item", "enum_item", "union_item")
        if not is_pub(item)
    }
    for item in named(node):
        if item.type == "attribute_item":
            attributes.append(source(item))
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
            name = source(node.child_by_field_name("name")) + "!"
            into.api[name] = Symbol(name, "macro", Role.FUNCTION, line_of(node), name, into.path)
    elif public and is_pub(node):
        if node.type == "use_declaration":
            _use(node.child_by_field_name("argument"), "", line_of(node), into, module)
        else:
            _declared(node, module, into, attributes)


def _declared(node: Node, module: str, into: RustFile, attributes: list[str]) -> None:
    read = READERS.get(node.type)
    name = source(node.child_by_field_name("name"))
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


def _module(node: Node, module: str, into: RustFile, *, public: bool) -> None:
    name = joined(module, source(node.child_by_field_name("name")))
    body = node.child_by_field_name("body")
    into.modules[name] = is_pub(node)
    if body is not None:
        _items(body, name, into, public=public and is_pub(node))


def _use(node: Node | None, prefix: str, where: int, into: RustFile, module: str) -> None:
    """`pub use a::{b, c as d, e::*}`."""
    if node is None:
        return
    if node.type == "scoped_use_list":
        inner = prefix + source(node.child_by_field_name("path")) + "::"
        _use(node.child_by_field_name("list"), inner, where, into, module)
    elif node.type == "use_list":
        for item in named(node):
            _use(item, prefix, where, into, module)
    elif node.type == "use_wildcard":
        into.globs.append(prefix + source(node).removesuffix("::*").removesuffix("*"))
    else:
        renamed = node.type == "use_as_clause"
        path = prefix + source(node.child_by_field_name("path") if renamed else node)
        alias = source(node.child_by_field_name("alias")) if renamed else path.rpartition("::")[2]
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
    name = source(target).rpartition("::")[2]
    if not name or name in private:
        return
    attributes: list[str] = []
    for item in named(node.child_by_field_name("body")):
        if item.type == "attribute_item":
            attributes.append(source(item))
            continue
        if is_pub(item) and not any(_HIDDEN.search(attribute) for attribute in attributes):
            read = READERS.get(item.type)
            key = f"{joined(module, name)}.{source(item.child_by_field_name('name'))}"
            for symbol in read(key, item, into.path) if read else ():
                word = "method" if symbol.word == "function" else symbol.word
                into.api.setdefault(symbol.name, replace(symbol, word=word))
        attributes = []
