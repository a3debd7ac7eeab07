"""A file's patch as rows of a side: which line of which file, and what happened to it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from prview.domain.hunks import read_hunks

if TYPE_CHECKING:
    from collections.abc import Iterator

    from prview.domain import hunks as hunks_of_patch

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
    """All hunks of one file's patch; none for binary files and changes of mode or name alone."""
    return tuple(_shown(hunk) for hunk in read_hunks(patch))


def _shown(hunk: hunks_of_patch.Hunk) -> Hunk:
    heading = hunk.heading.decode("utf-8", "replace").rstrip("\r")
    return Hunk(Row(HUNK, None, None, heading), tuple(_rows(hunk)))


def _rows(hunk: hunks_of_patch.Hunk) -> Iterator[Row]:
    old, new = hunk.old, hunk.new
    for line in hunk.lines:
        mark, text = line[:1], line[1:].decode("utf-8", "replace")
        if mark == b"+":
            yield Row(ADDED, None, new, text)
        elif mark == b"-":
            yield Row(DELETED, old, None, text)
        elif mark == b"\\":
            yield Row(NOTE, None, None, text.strip())
            continue
        else:
            yield Row(CONTEXT, old, new, text)
        old, new = old + (mark != b"+"), new + (mark != b"-")
