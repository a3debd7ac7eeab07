"""The shortcut for files that only gain functions never passes over something that is gone."""

from __future__ import annotations

import ast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prview.signals.breaking.python_surface import loses_nothing

OLD = '''\
"""A module."""
import os
from typing import (
    Any,
)

if os.name:
    FLAG = 1
    OTHER = 2

class Box:
    size = 1

    def open(self, key: str) -> Any:
        self.key = key
        return key

    @property
    def lid(self):
        return 1

def load(
    name: str,
    *,
    retry: int = 3,
) -> str:
    text = """
def fake(): ...
"""
    return text

def save(x): return x

LAST = load("x")
'''
PIECES = (
    "def added(a: int) -> int:\n    return a\n",
    "async def more(\n    a,\n) -> None:\n    pass\n",
    "@cached\ndef third(): return 1\n",
    "def load(name): return name\n",
    "def Box(): pass\n",
    "def __getattr__(name): return 1\n",
    "@dataclass\nclass Fresh(Box):\n    more: int\n",
    "class load: pass\n",
    "class __hidden: pass\n",
    "    def inner(self): pass\n",
    "NEW = 1\n",
    "import sys\n",
    "from os import *\n",
    "    extra = 1\n",
    '"""\n',
    "'''\n",
    'def doc(a):\n    """Double.\n\n    def inner(): pass\n    """\n    return a\n',
    'x = """\n',
    "\n",
    "# words\n",
    ")\n",
)


_DEFINITIONS = ("FunctionDef", "AsyncFunctionDef", "ClassDef")


def top(text: str) -> list[str] | None:
    """The statements at the top without the bodies of functions; None for what is no Python."""
    try:
        body = ast.parse(text).body
    except (SyntaxError, ValueError):
        return None
    for node in ast.walk(ast.Module(body, [])):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            node.body = [ast.Pass()]
    return [ast.dump(node) for node in body]


@given(
    st.lists(st.tuples(st.integers(0, 40), st.sampled_from(PIECES)), max_size=3),
    st.lists(st.integers(0, 40), max_size=2),
)
def test_what_is_called_an_addition_keeps_every_statement(
    insertions: list[tuple[int, str]], deletions: list[int]
) -> None:
    lines = OLD.splitlines(keepends=True)
    for at in deletions:
        if at < len(lines):
            del lines[at]
    for at, piece in insertions:
        lines.insert(min(at, len(lines)), piece)
    new = "".join(lines)
    after = top(new)
    if after is None or not loses_nothing(OLD, new):
        return
    before = top(OLD)
    assert before is not None
    rest = iter(after)
    assert all(statement in rest for statement in before), new
    gained = [statement for statement in after if statement not in before]
    assert all(statement.startswith(_DEFINITIONS) for statement in gained), new


@pytest.mark.parametrize("piece", [*PIECES[:3], PIECES[6]])
def test_definitions_under_new_names_are_an_addition(piece: str) -> None:
    assert loses_nothing(OLD, OLD + "\n" + piece)
    assert loses_nothing(OLD, OLD.replace("def save", piece + "\ndef save"))


@pytest.mark.parametrize(
    "new",
    [
        OLD + PIECES[3],
        OLD + PIECES[4],
        OLD + PIECES[5],
        OLD.replace("def save(x): return x\n", ""),
        OLD.replace("retry: int = 3", "retry: int"),
        OLD.replace("    @property", "def added(self):\n    pass\n\n    @property"),
        OLD.replace("    OTHER = 2", "def added(): pass\n    OTHER = 2"),
    ],
    ids=["again", "class", "dunder", "removed", "changed", "class-cut", "block-cut"],
)
def test_everything_else_has_to_be_read(new: str) -> None:
    assert not loses_nothing(OLD, new)


def test_a_star_may_bring_the_same_name() -> None:
    old = "from x import *\n"
    assert not loses_nothing(old, old + "def added(): pass\n")
