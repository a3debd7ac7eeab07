"""Parsed documents have no line numbers; these find a name's line again in the text."""

from __future__ import annotations

import re


class Lines:
    """The lines of one document."""

    def __init__(self, text: str) -> None:
        self._lines = text.split("\n")

    def first(self, pattern: str, *, after: int = 0) -> int:
        """The number, from 1, of the first line below `after` that matches; 1 when there is none."""
        wanted = re.compile(pattern)
        return next(
            (number for number, line in enumerate(self._lines[after:], after + 1) if wanted.search(line)), 1
        )

    def numbered(self, pattern: str) -> dict[str, int]:
        """What group 1 of the pattern matches to the first line where it does: one pass for many names."""
        wanted = re.compile(pattern)
        found: dict[str, int] = {}
        for number, line in enumerate(self._lines, 1):
            match = wanted.search(line)
            if match:
                found.setdefault(match[1], number)
        return found
