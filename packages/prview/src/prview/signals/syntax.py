"""tree-sitter for analyzers: they look for constructs, so a syntax error elsewhere does not matter.

Each grammar is a wheel of its own and is loaded when the first file of its language is met.
"""

from __future__ import annotations

from functools import lru_cache
from importlib import import_module
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tree_sitter import Language, Node, Query

GRAMMARS: Mapping[str, str] = {
    **dict.fromkeys((".js", ".jsx", ".mjs", ".cjs"), "javascript"),
    **dict.fromkeys((".ts", ".mts", ".cts"), "typescript"),
    ".tsx": "tsx",
    ".rs": "rust",
    ".go": "go",
}
"""The grammar by the end of a path."""

SCRIPTS = frozenset({"javascript", "typescript", "tsx"})
_FUNCTIONS = {
    "javascript": ("tree_sitter_javascript", "language"),
    "typescript": ("tree_sitter_typescript", "language_typescript"),
    "tsx": ("tree_sitter_typescript", "language_tsx"),
    "rust": ("tree_sitter_rust", "language"),
    "go": ("tree_sitter_go", "language"),
}


def grammar_of(path: str) -> str | None:
    """The grammar that reads a file, or None."""
    return GRAMMARS.get(PurePosixPath(path).suffix.lower())


def parse(grammar: str, text: str) -> Node:
    """The root of a file's syntax tree; what cannot be read is an ERROR node in it."""
    from tree_sitter import Parser

    return Parser(_language(grammar)).parse(text.encode("utf-8", "replace")).root_node


def captures(grammar: str, node: Node, query: str) -> dict[str, list[Node]]:
    """The nodes below `node` by the names that `query` gives them, each list in order of place."""
    from tree_sitter import QueryCursor

    found = QueryCursor(_query(grammar, query)).captures(node)
    return {name: sorted(nodes, key=lambda item: item.start_byte) for name, nodes in found.items()}


def source(node: Node | None) -> str:
    """The text of a node."""
    return (node.text or b"").decode("utf-8", "replace") if node else ""


def line_of(node: Node) -> int:
    """The line a node begins in, from 1."""
    return node.start_point[0] + 1


def ancestors(node: Node) -> Iterator[Node]:
    """The nodes around a node, the nearest first."""
    above = node.parent
    while above:
        yield above
        above = above.parent


@lru_cache(maxsize=8)
def _language(grammar: str) -> Language:
    from tree_sitter import Language

    module, function = _FUNCTIONS[grammar]
    return Language(getattr(import_module(module), function)())


@lru_cache(maxsize=64)
def _query(grammar: str, query: str) -> Query:
    from tree_sitter import Query

    return Query(_language(grammar), query)
