"""The hunks of one file's patch: the only place that reads them, and the lines that they add."""

from __future__ import annotations

import re
from dataclasses import dataclass

_HEADER = re.compile(rb"^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@ ?(.*)$", re.DOTALL)
_NO_LINE = b"\\"
"""Begins a remark of git's about the line before."""


@dataclass(frozen=True, slots=True)
class Hunk:
    """`old` and `new` number the first line of each side, from 1; `lines` begin with git's mark.

    A side without lines is numbered by the line that follows. `heading` is what git says about the place.
    """

    old: int
    new: int
    heading: bytes
    lines: tuple[bytes, ...]


@dataclass(frozen=True)
class AddedLine:
    """A line that only the new file has. `number` counts from 1; `text` has no line end."""

    number: int
    text: str


def read_hunks(patch: bytes) -> tuple[Hunk, ...]:
    """All hunks of one file's patch; none for binary files and changes of mode or name alone.

    The counts in a header decide where a hunk ends, so that content looking like a header is content. Lines
    end at LF only, like git's.
    """
    found: list[Hunk] = []
    lines = patch.split(b"\n")
    at = 0
    while at < len(lines):
        header = _HEADER.match(lines[at]) if lines[at].startswith(b"@@ ") else None
        at += 1
        if header:
            old_count, new_count = int(header[2] or 1), int(header[4] or 1)
            end = _end(lines, at, old_count, new_count)
            old, new = int(header[1]) + (old_count == 0), int(header[3]) + (new_count == 0)
            found.append(Hunk(old, new, header[5], tuple(lines[at:end])))
            at = end
    return tuple(found)


def _end(lines: list[bytes], at: int, old_left: int, new_left: int) -> int:
    """The index after the last line of a hunk."""
    while at < len(lines) and (old_left > 0 or new_left > 0 or lines[at].startswith(_NO_LINE)):
        mark = lines[at][:1]
        if mark != _NO_LINE:
            old_left -= mark != b"+"
            new_left -= mark != b"-"
        at += 1
    return at


def added_lines(patch: bytes) -> tuple[AddedLine, ...]:
    """All lines that one file's patch adds, in order. Bytes that are not UTF-8 become U+FFFD."""
    found: list[AddedLine] = []
    for hunk in read_hunks(patch):
        number = hunk.new
        for line in hunk.lines:
            mark = line[:1]
            if mark == b"+":
                found.append(AddedLine(number, line[1:].decode("utf-8", "replace").rstrip("\r")))
            number += mark not in {b"-", _NO_LINE}
    return tuple(found)
