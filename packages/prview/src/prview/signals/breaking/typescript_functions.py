"""Functions of TypeScript and JavaScript as symbols."""

from __future__ import annotations

from typing import TYPE_CHECKING

from prview.domain.breaking.symbols import Parameter, Passing, Role, Symbol
from prview.signals.breaking.grammar import canon, has, header, named
from prview.signals.syntax import line_of, source

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tree_sitter import Node

FUNCTIONS = frozenset(
    {"function_declaration", "generator_function_declaration", "function_signature", "function_expression"}
    | {"generator_function", "arrow_function"}
)


def function(name: str, node: Node, path: str, *, shown: str = "", word: str = "function") -> Symbol:
    """A function or method; `shown` replaces its own header where it is the value of a name."""
    return Symbol(
        name,
        word,
        Role.FUNCTION,
        line_of(node),
        shown or header(node, node.child_by_field_name("body")),
        path,
        parameters=tuple(_parameters(node)),
        returns=written_type(node.child_by_field_name("return_type")) or None,
        generics=canon(node.child_by_field_name("type_parameters")),
        modifiers=modifiers_of(node),
    )


def overloaded(name: str, nodes: list[Node], path: str) -> Symbol:
    """The implementation of an overloaded function cannot be called, its signatures can."""
    signatures = [node for node in nodes if node.child_by_field_name("body") is None] or nodes
    return Symbol(
        name,
        "function",
        Role.FUNCTION,
        line_of(nodes[0]),
        header(signatures[0], signatures[0].child_by_field_name("body")),
        path,
        overloads=frozenset(
            canon(item.child_by_field_name("parameters")) + canon(item.child_by_field_name("return_type"))
            for item in signatures
        ),
    )


def modifiers_of(node: Node) -> frozenset[str]:
    """The words before a declaration that callers notice; `optional` is written `?`."""
    words = ("static", "readonly", "abstract", "async")
    found = {word for word in words if has(node, word)}
    if has(node, "?"):
        found.add("optional")
    return frozenset(found)


def _parameters(node: Node) -> Iterator[Parameter]:
    single = node.child_by_field_name("parameter")  # `x => …`
    if single is not None:
        yield Parameter(source(single))
    for index, item in enumerate(named(node.child_by_field_name("parameters"))):
        if item.type != "comment" and source(item.child_by_field_name("pattern")) != "this":
            yield _parameter(item, index)


def _parameter(item: Node, index: int) -> Parameter:
    pattern = item.child_by_field_name("pattern") or item.child_by_field_name("left") or item
    rest = pattern.type == "rest_pattern"
    inner = next(named(pattern), pattern) if rest else pattern
    name = source(inner) if inner.type == "identifier" else f"#{index + 1}"
    value = item.child_by_field_name("value") or item.child_by_field_name("right")
    optional = rest or item.type == "optional_parameter" or value is not None
    return Parameter(
        name,
        Passing.REST if rest else Passing.POSITIONAL,
        required=not optional,
        type=written_type(item.child_by_field_name("type")) or None,
        default=canon(value) or None,
    )


def written_type(annotation: Node | None) -> str:
    """A type annotation without its colon and layout; empty where none is written."""
    return canon(annotation).removeprefix(":").strip()
