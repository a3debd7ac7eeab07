"""Where a line of the old file went: the place in the new file where a reader would look for it."""

from __future__ import annotations

import re
from dataclasses import dataclass

_HUNK = re.compile(rb"^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@", re.MULTILINE)


@dataclass(frozen=True)
class _Hunk:
    old: int
    new: int
    body: tuple[bytes, ...]


class LineMap:
    """Maps line numbers of one file's old side to its new side, both counted from 1."""

    def __init__(self, patch: bytes) -> None:
        """`patch` is git's unified diff of this file alone; without hunks nothing moved."""
        self._hunks = tuple(_hunks(patch))

    def head(self, line: int) -> int:
        """The new number of an old line; for a removed line, the line that took its place."""
        shift = 0
        for hunk in self._hunks:
            if line < hunk.old:
                break
            old, new = hunk.old, hunk.new
            for mark in hunk.body:
                if mark == b"+":
                    new += 1
                    continue
                if old == line:
                    return max(1, new)
                old += 1
                new += mark != b"-"
            shift = new - old
        return max(1, line + shift)


def _hunks(patch: bytes) -> list[_Hunk]:
    """Read hunks by the counts in their headers, so that content looking like a header is content."""
    found: list[_Hunk] = []
    lines = patch.split(b"\n")
    index = 0
    while index < len(lines):
        header = _HUNK.match(lines[index])
        index += 1
        if not header:
            continue
        start_old, count_old, start_new, count_new = (
            1 if part is None else int(part) for part in header.groups()
        )
        body: list[bytes] = []
        left_old, left_new = count_old, count_new
        while (left_old > 0 or left_new > 0) and index < len(lines):
            mark = lines[index][:1]
            index += 1
            if mark == b"\\":
                continue
            body.append(mark)
            left_old -= mark != b"+"
            left_new -= mark != b"-"
        # a side without lines is numbered by the line before it
        found.append(_Hunk(start_old + (count_old == 0), start_new + (count_new == 0), tuple(body)))
    return found
