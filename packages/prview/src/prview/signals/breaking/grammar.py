"""tree-sitter, as far as the readers of languages use it."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from tree_sitter import Language, Parser

from prview.domain.breaking.symbols import one_line

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


@lru_cache(maxsize=8)
def _language(name: str) -> Language:
    """One grammar; each comes in a wheel of its own and is loaded when a file of its language is met."""
    if name == "go":
        import tree_sitter_go as grammar

        return Language(grammar.language())
    if name == "rust":
        import tree_sitter_rust

        return Language(tree_sitter_rust.language())
    if name == "javascript":
        import tree_sitter_javascript

        return Language(tree_sitter_javascript.language())
    import tree_sitter_typescript

    tsx = name == "tsx"
    return Language(
        tree_sitter_typescript.language_tsx() if tsx else tree_sitter_typescript.language_typescript()
    )


def parse(language: str, text: str) -> Node:
    """The root of a file's syntax tree. Raises GrammarError when its declarations cannot be read."""
    root = parse_partly(language, text)
    wrong = error_outside_bodies(root)
    if wrong is not None:
        raise GrammarError(f"has syntax that cannot be read in line {line(wrong)}")
    return root


def parse_partly(language: str, text: str) -> Node:
    """The root of a file's syntax tree, whatever it holds."""
    return Parser(_language(language)).parse(text.encode("utf-8")).root_node


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


def line(node: Node) -> int:
    """The line a node begins in, from 1."""
    return node.start_point[0] + 1


def text(node: Node | None) -> str:
    """The source of a node."""
    return (node.text or b"").decode("utf-8", "replace") if node else ""


def canon(node: Node | None) -> str:
    """The source of a type or signature without layout, comments and habits (quotes, trailing commas)."""
    return squeeze(text(node))


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
