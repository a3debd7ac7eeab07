"""tree-sitter, as far as the readers of languages use it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from prview.domain.breaking.symbols import one_line
from prview.domain.changed_part import changed_part
from prview.signals import syntax

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tree_sitter import Node

BODIES = frozenset({"statement_block", "block", "function_body", "arguments", "token_tree"})
"""Nodes whose inside is nobody's interface: a syntax error in there does not matter."""

_COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)
_SPACE = re.compile(r"\s+")
_AROUND_PUNCTUATION = re.compile(r"\s*([^\w\s])\s*")
_BEFORE_CLOSING = re.compile(r"[,;]+([)\]}>])")
_LEADING_BAR = re.compile(r"(^|[=(<:,\[{])\|")


class GrammarError(Exception):
    """The file cannot be read as its language; the message ends the sentence about it."""


_BODIES = {
    "go": "(function_declaration body: (_) @b) (method_declaration body: (_) @b) (func_literal body: (_) @b)",
    "rust": "(function_item body: (_) @b)",
}
_SCRIPT_BODIES = " ".join(
    f"({kind} body: (_) @b)"
    for kind in (
        "function_declaration",
        "generator_function_declaration",
        "function_expression",
        "generator_function",
        "arrow_function",
        "method_definition",
    )
)


def same_surface(language: str, old: str, new: str) -> bool:
    """Whether two versions of a file differ in bodies of functions only.

    Looks at the declarations between which they differ; False when it cannot be told without reading all.
    """
    if old == new:
        return True
    parts = changed_part(old, new)
    if parts is None:
        return False
    one, other = (_surface(language, part) for part in parts)
    return one is not None and one == other


def _surface(language: str, text: str) -> bytes | None:
    """The source without the bodies of functions; None where it cannot be parsed."""
    source = text.encode("utf-8")
    root = syntax.parse(language, text)
    if root.has_error:
        return None
    kept: list[bytes] = []
    position = 0
    for body in syntax.captures(language, root, _BODIES.get(language, _SCRIPT_BODIES)).get("b", []):
        if body.start_byte >= position:
            kept.append(source[position : body.start_byte])
            position = body.end_byte
    return b"".join([*kept, source[position:]])


def parse(language: str, text: str) -> Node:
    """The root of a file's syntax tree. Raises GrammarError when its declarations cannot be read."""
    root = syntax.parse(language, text)
    wrong = error_outside_bodies(root)
    if wrong is not None:
        raise GrammarError(f"has syntax that cannot be read in line {syntax.line_of(wrong)}")
    return root


def error_outside_bodies(node: Node) -> Node | None:
    """The first thing in a node that its grammar does not know, bodies aside; None when there is none."""
    if not node.has_error:
        return None
    pending = [node]
    while pending:
        item = pending.pop()
        if item.is_error or item.is_missing:
            return item
        pending += [child for child in item.children if child.has_error and child.type not in BODIES]
    return None


def canon(node: Node | None) -> str:
    """The source of a type or signature without layout, comments and habits (quotes, trailing commas)."""
    return squeeze(syntax.source(node))


def squeeze(source: str) -> str:
    """See `canon`."""
    bare = _COMMENT.sub(" ", source) if "/" in source else source
    tight = _AROUND_PUNCTUATION.sub(r"\1", _SPACE.sub(" ", bare).strip()).replace("'", '"')
    return _LEADING_BAR.sub(r"\1", _BEFORE_CLOSING.sub(r"\1", tight.replace(";", ",")))


def header(node: Node, body: Node | None) -> str:
    """The source of a declaration up to its body, on one line."""
    source = node.text or b""
    if body is not None:
        source = source[: body.start_byte - node.start_byte]
    return one_line(source.decode("utf-8", "replace").rstrip(" \n\t={;"))


def named(node: Node | None, *types: str) -> Iterator[Node]:
    """The named children of these types; all of them when none is given."""
    for child in node.named_children if node else ():
        if not types or child.type in types:
            yield child


def has(node: Node, *tokens: str) -> bool:
    """Whether one of the tokens (`async`, `?`, `static`) stands directly in a node."""
    return any(child.type in tokens for child in node.children)
