"""Where an old line is looked for in the new file."""

from __future__ import annotations

import difflib
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from prview.domain.line_map import LineMap

_LINES = st.lists(st.sampled_from(["a", "b", "c", "-- a/b", "@@ -1 +1 @@"]), max_size=12)


def _patch(old: list[str], new: list[str], *, context: int) -> bytes:
    return "\n".join(difflib.unified_diff(old, new, "a/f", "b/f", lineterm="", n=context)).encode()


@given(_LINES, _LINES, st.integers(0, 3))
def test_an_unchanged_line_is_found_where_the_diff_left_it(
    old: list[str], new: list[str], context: int
) -> None:
    lines = LineMap(_patch(old, new, context=context))
    matcher = difflib.SequenceMatcher(None, old, new)
    for block in matcher.get_matching_blocks():
        for offset in range(block.size):
            assert lines.head(block.a + offset + 1) == block.b + offset + 1


@given(_LINES, _LINES)
def test_the_order_of_lines_is_kept(old: list[str], new: list[str]) -> None:
    lines = LineMap(_patch(old, new, context=1))
    places = [lines.head(number) for number in range(1, len(old) + 2)]
    assert all(one <= other for one, other in pairwise(places))


def test_a_removed_line_is_looked_for_where_it_was() -> None:
    patch = b"@@ -1,4 +1,3 @@\n one\n-two\n three\n four\n"
    assert [LineMap(patch).head(number) for number in (1, 2, 3, 9)] == [1, 2, 2, 8]


def test_a_file_without_a_patch_keeps_its_lines() -> None:
    assert LineMap(b"").head(7) == 7


def test_content_that_looks_like_a_hunk_is_content() -> None:
    patch = b"@@ -1,2 +1,3 @@\n one\n+@@ -9 +9 @@\n two\n"
    assert LineMap(patch).head(2) == 3
