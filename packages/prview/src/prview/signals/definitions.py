"""Functions and classes that a file defines, for those who ask whether anybody uses them."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import TYPE_CHECKING

from prview.signals.python_imports import parse_python
from prview.signals.syntax import SCRIPTS, captures, grammar_of, line_of, parse, source

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tree_sitter import Node

_SCRIPT = """
(program [(function_declaration name: (_) @name) (class_declaration name: (_) @name)])
(program (export_statement [(function_declaration name: (_) @name) (class_declaration name: (_) @name)]))
(program (lexical_declaration
  (variable_declarator name: (identifier) @name value: [(arrow_function) (function_expression)])))
(program (export_statement (lexical_declaration
  (variable_declarator name: (identifier) @name value: [(arrow_function) (function_expression)]))))
"""
_GO = "(source_file (function_declaration name: (identifier) @name))"
_RUST = "(source_file (function_item name: (identifier) @name))"
_STARTED = frozenset({"main", "init", "setup", "teardown", "handler", "lambda_handler", "app", "application"})
"""Names that something outside calls."""


@dataclass(frozen=True)
class Definition:
    """A function or class. `public`: others may use it without this repository knowing."""

    name: str
    line: int
    public: bool


def definitions(path: str, text: str) -> list[Definition]:
    """What a file defines for its own use or for others; what is called by decoration or name is left out."""
    if path.endswith(".py"):
        tree = parse_python(text)
        found = list(_of_python(tree.body)) if tree else []
    else:
        found = _by_grammar(path, text)
    return [item for item in found if item.name not in _STARTED and not _is_special(item.name)]


def _of_python(body: list[ast.stmt]) -> Iterator[Definition]:
    for node in body:
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            continue
        if not node.decorator_list:
            yield Definition(node.name, node.lineno, public=not node.name.startswith("_"))
        if isinstance(node, ast.ClassDef):
            yield from (item for item in _of_python(node.body) if not item.public)


def _by_grammar(path: str, text: str) -> list[Definition]:
    grammar = grammar_of(path)
    if grammar is None:
        return []
    query = _SCRIPT if grammar in SCRIPTS else _GO if grammar == "go" else _RUST
    names = captures(grammar, parse(grammar, text), query).get("name", [])
    return [
        Definition(source(name), line_of(name), public=_is_public(name, grammar))
        for name in names
        if not _is_called_otherwise(name)
    ]


def _is_public(name: Node, grammar: str) -> bool:
    if grammar == "go":
        return source(name)[:1].isupper()
    statement = _statement(name)
    return source(statement).startswith("pub") if grammar == "rust" else statement.type == "export_statement"


def _is_called_otherwise(name: Node) -> bool:
    """A default export has no need of its name; an attribute of Rust may register or test the function."""
    statement = _statement(name)
    before = statement.prev_named_sibling
    attribute = before is not None and before.type == "attribute_item"
    return attribute or source(statement).startswith("export default")


def _statement(name: Node) -> Node:
    node = name
    while node.parent is not None and node.parent.parent is not None:
        node = node.parent
    return node


def _is_special(name: str) -> bool:
    return (name.startswith("__") and name.endswith("__")) or "$" in name or name.startswith("test")
