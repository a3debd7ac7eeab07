"""Collecting the lines of an answer up to its bounds."""

from __future__ import annotations

from artifactize.toolbox.contract import MAX_ANSWER_BYTES

_NOTE_RESERVE = 1024


class Lines:
    """Lines of an answer: at most `most` of them, and no more bytes than an answer has."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._room = MAX_ANSWER_BYTES - _NOTE_RESERVE
        self._lines: list[str] = []

    def __len__(self) -> int:
        return len(self._lines)

    def takes(self, line: str) -> bool:
        """Add a line; False, without adding it, when there is no room left."""
        size = len(line.encode()) + 1
        if len(self._lines) >= self._most or (size > self._room and self._lines):
            return False
        self._room -= size
        self._lines.append(line)
        return True

    def text(self, *notes: str) -> str:
        """Return the lines, with the notes (those that are not empty) before them."""
        return "\n".join([*(f"[{note}]" for note in notes if note), *self._lines])
