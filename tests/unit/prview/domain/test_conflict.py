"""Whole conflicts are errors, halves warnings, underlines nothing."""

from __future__ import annotations

import pytest

from prview.domain.change import ChangedFile
from prview.domain.conflict import conflict_markers


def added(*lines: str) -> ChangedFile:
    patch = f"@@ -0,0 +1,{len(lines)} @@\n" + "".join(f"+{line}\n" for line in lines)
    return ChangedFile("a.txt", "A", patch=patch.encode())


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (("<<<<<<< HEAD", "a", "=======", "b", ">>>>>>> x"), [("conflict", 1)]),
        (("<<<<<<< HEAD", "a", "||||||| base", "c", "=======", "b", ">>>>>>>"), [("conflict", 1)]),
        (("Title", "======="), []),
        (("<<<<<<< HEAD", "a"), [("leftover", 1)]),
        (("b", ">>>>>>> x"), [("leftover", 2)]),
        (("<<<<<<< a", "<<<<<<< b", "=======", ">>>>>>> b"), [("leftover", 1), ("conflict", 2)]),
        (("<<<<<<<x", " <<<<<<< HEAD", "=======", ">>>>>>>>"), []),
    ],
)
def test_markers_are_read_in_order(lines: tuple[str, ...], expected: list[tuple[str, int]]) -> None:
    found = conflict_markers(added(*lines))
    assert [(finding.rule, finding.line) for finding in found] == expected


def test_lines_that_were_there_before_are_not_read() -> None:
    patch = b"@@ -1,3 +1,4 @@\n <<<<<<< HEAD\n =======\n >>>>>>> x\n+new\n"
    assert conflict_markers(ChangedFile("a.txt", "M", patch=patch)) == ()
