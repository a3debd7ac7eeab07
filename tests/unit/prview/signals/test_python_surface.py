"""The shortcut past parsing must never hide a changed interface."""

from __future__ import annotations

import ast
from pathlib import Path
from textwrap import dedent

import pytest
from hypothesis import given
from hypothesis import strategies as st

import prview
from prview.signals.breaking.python_surface import surface

SOURCES = sorted(Path(prview.__file__).parent.rglob("*.py"))

SAMPLE = dedent(
    '''
    """Module."""
    import os

    LIMIT = 3


    @decorated(
        "x",
    )
    def one(
        a,
        b="(",  # :
    ) -> dict[str, int]:
        """Text
    with a dedented line
        """
        c = [
            1]
        return c


    class C:
        field: int = 1

        def __init__(self):
            self.a = 1
            b = 2

        async def two(self): return 1

        other = """
    def not_a_function():
        inside a text
    """


    if os.name:
        def three(): ...
    '''
)


def _bodies_emptied(text: str) -> str:
    """The same interface with other bodies, made by the parser that the shortcut avoids."""
    tree = ast.parse(text)
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef):
            node.body = [item for item in node.body if not _is_text(item)] or [ast.Pass()]
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            node.body = [item for item in node.body if _assigns_self(item)] or [ast.Pass()]
    return ast.unparse(tree)


def _is_text(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _assigns_self(node: ast.stmt) -> bool:
    return isinstance(node, ast.Assign | ast.AnnAssign) and ast.unparse(node).startswith("self.")


def test_bodies_are_left_out_and_everything_else_is_kept() -> None:
    kept = "\n".join(surface(SAMPLE))
    for line in (
        "LIMIT = 3",
        '    b="(",  # :',
        "class C:",
        "    field: int = 1",
        "        self.a = 1",
        "    def three(): ...",
    ):
        assert line in kept.splitlines()
    for line in ("with a dedented line", "return c", "b = 2"):
        assert line not in kept
    assert "async def two(self): return 1" in kept


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("LIMIT = 3", "LIMIT = 4"),
        ("import os\n", ""),
        ("    a,\n", "    a=1,\n"),
        ("dict[str, int]", "dict[str, str]"),
        ("self.a = 1", "self.b = 1"),
        ("field: int", "field: str"),
        ("def three()", "def four()"),
        ("async def two", "def two"),
        ('    "x",\n', '    "y",\n'),
    ],
)
def test_a_changed_interface_changes_the_surface(old: str, new: str) -> None:
    assert old in SAMPLE
    assert surface(SAMPLE.replace(old, new)) != surface(SAMPLE)


@pytest.mark.parametrize(
    ("old", "new"), [("return c", "return d"), ("b = 2", "b = 3"), ("with a dedented", "without a dedented")]
)
def test_a_changed_body_does_not(old: str, new: str) -> None:
    assert surface(SAMPLE.replace(old, new)) == surface(SAMPLE)


@given(st.sampled_from(SOURCES), st.data())
def test_no_line_that_an_interface_depends_on_is_left_out(source: Path, data: st.DataObject) -> None:
    """Drop one line: where the parser sees another interface, the surface must differ, too."""
    lines = source.read_text(encoding="utf-8").split("\n")
    gone = data.draw(st.integers(0, len(lines) - 1))
    before = "\n".join(lines)
    after = "\n".join(lines[:gone] + lines[gone + 1 :])
    try:
        changed = _bodies_emptied(before) != _bodies_emptied(after)
    except SyntaxError:
        return
    if changed:
        assert surface(before) != surface(after)


@given(st.text(alphabet="def (:)\"'#\n\\ax=1 \tself.", max_size=80))
def test_anything_has_a_surface(text: str) -> None:
    assert isinstance(surface(text), tuple)
