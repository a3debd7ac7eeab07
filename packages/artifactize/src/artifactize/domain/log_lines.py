"""Choosing lines out of an output of any length, in bounded memory."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING

from artifactize.domain.cleaning import clean

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

LINE_BYTES = 2048
FORWARD_LINES = 200
FORWARD_BYTES = 48 * 1024
_HALF = LINE_BYTES // 2
_GAP = " […] "


@dataclass(frozen=True, slots=True)
class Line:
    """A line without its end, numbered from 1; a clipped one is its first and last 1024 bytes."""

    number: int
    text: str
    clipped: bool


@dataclass(frozen=True, slots=True)
class Query:
    """Which lines: the last `tail` matching ones, or those from `start` to `end`."""

    tail: int | None
    start: int = 1
    end: int | None = None
    search: bytes | None = None


def choose_lines(pieces: Iterable[bytes], query: Query) -> tuple[list[Line], int | None]:
    """Return the chosen lines and, for a forward query that was cut, the line where the next one starts.

    `pieces` are the output in order, none of them reaching over the end of a line.
    """
    matching = _matching(pieces, query)
    if query.tail is not None:
        return list(deque(matching, maxlen=query.tail)), None
    found: list[Line] = []
    size = 0
    for line in matching:
        size += len(line.text.encode())
        if found and (len(found) == FORWARD_LINES or size > FORWARD_BYTES):
            return found, line.number
        found.append(line)
    return found, None


def _matching(pieces: Iterable[bytes], query: Query) -> Iterator[Line]:
    collecting = _Collecting(query.search)
    number = 1
    for piece in pieces:
        collecting.add(piece)
        if not piece.endswith(b"\n"):
            continue
        if number >= query.start and collecting.matches:
            yield collecting.line(number)
        if number == query.end:
            return
        number += 1
        collecting = _Collecting(query.search)
    if collecting.size and number >= query.start and collecting.matches:
        yield collecting.line(number)


class _Collecting:
    """One line as it comes in: its ends, its size, and whether the search was seen anywhere in it."""

    def __init__(self, search: bytes | None) -> None:
        self._search = search
        self._head = b""
        self._tail = b""
        self._before = b""
        self.size = 0
        self.matches = search is None

    def add(self, piece: bytes) -> None:
        self.size += len(piece)
        if len(self._head) < LINE_BYTES:
            self._head += piece[: LINE_BYTES - len(self._head)]
        self._tail = (self._tail + piece)[-_HALF:]
        if self._search is not None and not self.matches:
            window = self._before + piece
            self.matches = self._search in window
            self._before = window[-len(self._search) :]

    def line(self, number: int) -> Line:
        if self.size <= LINE_BYTES:
            return Line(number, clean(self._head).removesuffix("\n"), clipped=False)
        text = clean(self._head[:_HALF]) + _GAP + clean(self._tail).removesuffix("\n")
        return Line(number, text, clipped=True)
