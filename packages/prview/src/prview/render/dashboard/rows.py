"""A file's patch as rows of a side: which line of which file, and what happened to it."""

from __future__ import annotations

import re
from dataclasses import dataclass

_HUNK = re.compile(r"^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@ ?(.*)$", re.DOTALL)

HUNK, CONTEXT, ADDED, DELETED, NOTE = "h", "c", "a", "d", "n"


@dataclass(frozen=True)
class Row:
    """One row. `old` and `new` are line numbers counting from 1, None on the side that lacks the line."""

    kind: str
    old: int | None
    new: int | None
    text: str


@dataclass(frozen=True)
class Hunk:
    """A hunk's heading and its rows."""

    heading: Row
    rows: tuple[Row, ...]


def hunks(patch: bytes) -> tuple[Hunk, ...]:
    """All hunks of one file's patch; none for binary files and changes of mode or name alone.

    The counts in a hunk's heading decide where it ends, so that content looking like a heading is content.
    """
    found: list[Hunk] = []
    lines = patch.split(b"\n")
    at = 0
    while at < len(lines):
        match = _HUNK.match(lines[at].decode("utf-8", "replace")) if lines[at].startswith(b"@@ ") else None
        at += 1
        if match:
            rows, at = _rows(lines, at, match)
            found.append(Hunk(Row(HUNK, None, None, match[5].rstrip("\r")), rows))
    return tuple(found)


def _rows(lines: list[bytes], at: int, match: re.Match[str]) -> tuple[tuple[Row, ...], int]:
    old, new = int(match[1]), int(match[3])
    old_end, new_end = old + int(match[2] or 1), new + int(match[4] or 1)
    rows: list[Row] = []
    while at < len(lines) and (old < old_end or new < new_end or lines[at].startswith(b"\\")):
        mark, text = lines[at][:1], lines[at][1:].decode("utf-8", "replace")
        at += 1
        if mark == b"+":
            rows.append(Row(ADDED, None, new, text))
        elif mark == b"-":
            rows.append(Row(DELETED, old, None, text))
        elif mark == b"\\":
            rows.append(Row(NOTE, None, None, text.strip()))
            continue
        else:
            rows.append(Row(CONTEXT, old, new, text))
        old, new = old + (mark != b"+"), new + (mark != b"-")
    return tuple(rows), at
