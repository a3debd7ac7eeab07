"""Rows of a diff are the lines of the patch, numbered, whatever the lines look like."""

from __future__ import annotations

import html
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prview.render.dashboard.highlight import Colours
from prview.render.dashboard.languages import language_of
from prview.render.dashboard.markup import esc_code
from prview.render.dashboard.rows import ADDED, CONTEXT, DELETED, hunks
from support.prview_review import patch_of

LINE = st.text(st.characters(exclude_characters="\n", codec="utf-8"), max_size=30)
PATHS = ["a.py", "a.ts", "a.rs", "a.go", "a.java", "a.sh", "a.rb", "a.yml", "a.json", "a.sql", "a.html", "a.css", "Makefile", "a.txt"]  # fmt: skip
CODE = st.text(st.sampled_from(list("ab1 \"'`/*#-<>&!=\\{}\tif")), max_size=40)


@given(st.lists(st.tuples(st.sampled_from("+- "), LINE), min_size=1, max_size=20), st.integers(1, 99))
def test_every_line_is_a_row_with_its_numbers(lines: list[tuple[str, str]], start: int) -> None:
    (hunk,) = hunks(patch_of("a", *(mark + text for mark, text in lines), start=start))
    kinds = {"+": ADDED, "-": DELETED, " ": CONTEXT}
    assert [(row.kind, row.text) for row in hunk.rows] == [(kinds[mark], text) for mark, text in lines]
    old = [row.old for row in hunk.rows if row.old]
    new = [row.new for row in hunk.rows if row.new]
    assert old == list(range(start, start + sum(mark != "+" for mark, _ in lines)))
    assert new == list(range(start, start + sum(mark != "-" for mark, _ in lines)))


def test_content_that_looks_like_a_heading_is_content() -> None:
    patch = (
        patch_of("a", "-@@ -1 +1 @@", "+diff --git a/x b/x", " @@ -5,5 +5,5 @@")
        + b"@@ -9 +9 @@ def f():\n-x\n+y\n"
    )
    first, second = hunks(patch)
    assert [row.text for row in first.rows] == ["@@ -1 +1 @@", "diff --git a/x b/x", "@@ -5,5 +5,5 @@"]
    assert second.heading.text == "def f():"
    assert [(row.old, row.new) for row in second.rows] == [(9, None), (None, 9)]


def test_a_missing_line_end_is_said_and_takes_no_number() -> None:
    (hunk,) = hunks(b"@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+b\n\\ No newline at end of file\n")
    assert [(row.kind, row.old, row.new) for row in hunk.rows] == [
        ("d", 1, None),
        ("n", None, None),
        ("a", None, 1),
        ("n", None, None),
    ]


def test_a_patch_without_lines_has_no_hunk() -> None:
    assert hunks(b"diff --git a/x b/x\nold mode 100644\nnew mode 100755\n") == ()


@pytest.mark.parametrize("path", PATHS)
@given(st.lists(CODE, min_size=1, max_size=6), st.sampled_from(["o", "n", "no"]))
def test_colours_never_change_the_text_nor_let_a_tag_through(path: str, lines: list[str], side: str) -> None:
    safe = [esc_code(line) for line in lines]
    colours = Colours(language_of(path), safe)
    for line in safe:
        shown = colours.line(line, side)
        assert html.unescape(re.sub(r"</?i(?: class=[kmns])?>", "", shown)) == html.unescape(line)
        assert re.sub(r"<i class=[kmns]>|</i>", "", shown).count("<") == 0


def test_what_goes_on_over_lines_is_followed_on_each_side_and_only_when_it_is_closed() -> None:
    lines = ['"""One', "two", '"""', "return 1"]
    colours = Colours(language_of("a.py"), lines)
    shown = [colours.line(line, "no") for line in lines]
    assert shown[1] == "<i class=s>two</i>"
    assert shown[3] == "<i class=k>return</i> <i class=n>1</i>"
    half = Colours(language_of("a.py"), ["two", '"""', "return 1"])
    assert [half.line(line, "no") for line in ["two", '"""', "return 1"]][2] == shown[3]
