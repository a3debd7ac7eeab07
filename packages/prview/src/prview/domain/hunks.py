"""The lines a patch adds, with their numbers in the new file."""

from __future__ import annotations

import re
from dataclasses import dataclass

_HUNK = re.compile(rb"^@@ -\d+(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")


@dataclass(frozen=True)
class AddedLine:
    """A line that only the new file has. `number` counts from 1; `text` has no line end."""

    number: int
    text: str


def added_lines(patch: bytes) -> tuple[AddedLine, ...]:
    """All lines that one file's patch adds, in order.

    The counts in a hunk's header decide where it ends, so that content looking like a header is content.
    Bytes that are not UTF-8 become U+FFFD; lines end at LF only, like git's.
    """
    found: list[AddedLine] = []
    old_left = new_left = number = 0
    for line in patch.split(b"\n"):
        if old_left <= 0 and new_left <= 0:
            header = _HUNK.match(line)
            if header:
                old_left, number, new_left = _counts(header)
            continue
        mark = line[:1]
        if mark == b"+":
            found.append(AddedLine(number, line[1:].decode("utf-8", "replace").rstrip("\r")))
        if mark in {b"+", b" "}:
            number, new_left = number + 1, new_left - 1
        if mark in {b"-", b" "}:
            old_left -= 1
    return tuple(found)


def _counts(header: re.Match[bytes]) -> tuple[int, int, int]:
    """Old lines, first new line, new lines; a count that git leaves out is 1."""
    old, start, new = header.groups()
    return int(old or 1), int(start), int(new or 1)
