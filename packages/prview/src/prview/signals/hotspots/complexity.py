"""How much a file decides: Python from its tree, some through tree-sitter, others by indentation."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from prview.domain.coverage import language
from prview.signals.python_imports import parse_python
from prview.signals.syntax import SCRIPTS, captures, grammar_of, parse

if TYPE_CHECKING:
    from collections.abc import Mapping

_PYTHON = (
    ast.If,
    ast.For,
    ast.AsyncFor,
    ast.While,
    ast.ExceptHandler,
    ast.IfExp,
    ast.comprehension,
    ast.match_case,
    ast.Assert,
)
_SCRIPT = """
[(if_statement) (for_statement) (for_in_statement) (while_statement) (do_statement) (switch_case)
 (catch_clause) (ternary_expression)] @decision
(binary_expression operator: ["&&" "||" "??"]) @decision
"""
_QUERIES: Mapping[str, str] = {
    **dict.fromkeys(SCRIPTS, _SCRIPT),
    "go": """
[(if_statement) (for_statement) (expression_case) (type_case) (communication_case)] @decision
(binary_expression operator: ["&&" "||"]) @decision
""",
    "rust": """
[(if_expression) (for_expression) (while_expression) (loop_expression) (match_arm) (try_expression)] @decision
(binary_expression operator: ["&&" "||"]) @decision
""",
}
READ, GUESSED = "read", "indentation"


def complexity(path: str, text: str) -> tuple[int, str] | None:
    """Number of decisions, and how it was found (READ, GUESSED); None for what is no code.

    By indentation: the sum of the depths of all lines, a tenth of it, which grows as nesting does.
    """
    if path.endswith((".py", ".pyi")):
        tree = parse_python(text)
        return (_decisions(tree), READ) if tree else (_by_indentation(text), GUESSED)
    grammar = grammar_of(path)
    if grammar:
        found = captures(grammar, parse(grammar, text), _QUERIES[grammar])
        return len(found.get("decision", [])), READ
    return (_by_indentation(text), GUESSED) if language(path) else None


def _decisions(tree: ast.Module) -> int:
    nodes = list(ast.walk(tree))
    operators = sum(len(node.values) - 1 for node in nodes if isinstance(node, ast.BoolOp))
    return operators + sum(isinstance(node, _PYTHON) for node in nodes)


def _by_indentation(text: str) -> int:
    depths = 0
    for line in text.split("\n"):
        stripped = line.lstrip(" \t")
        if stripped:
            space = line[: len(line) - len(stripped)]
            depths += space.count("\t") + space.count(" ") // 4
    return depths // 10
