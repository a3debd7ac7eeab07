"""Where a line of the old file went: the place in the new file where a reader would look for it."""

from __future__ import annotations

from prview.domain.hunks import read_hunks


class LineMap:
    """Maps line numbers of one file's old side to its new side, both counted from 1."""

    def __init__(self, patch: bytes) -> None:
        """`patch` is git's unified diff of this file alone; without hunks nothing moved."""
        self._hunks = [
            (hunk.old, hunk.new, [line[:1] for line in hunk.lines if not line.startswith(b"\\")])
            for hunk in read_hunks(patch)
        ]

    def head(self, line: int) -> int:
        """The new number of an old line; for a removed line, the line that took its place."""
        shift = 0
        for first_old, first_new, marks in self._hunks:
            if line < first_old:
                break
            old, new = first_old, first_new
            for mark in marks:
                if mark == b"+":
                    new += 1
                    continue
                if old == line:
                    return max(1, new)
                old += 1
                new += mark != b"-"
            shift = new - old
        return max(1, line + shift)
