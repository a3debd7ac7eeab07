"""The text of lines that findings are about: what stays the same when lines move."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

MAX_BYTES = 32 * 1024 * 1024
"""Bytes of one file beyond which its lines are not told apart."""


class Lines:
    """The lines of the files of a tree, each file read once."""

    def __init__(self, tree: Path) -> None:
        self._tree = tree
        self._files: dict[str, list[bytes]] = {}

    def text(self, path: str, number: int) -> str:
        """Return a line (counted from 1), stripped; empty when the file has no such line."""
        if path not in self._files:
            self._files[path] = _read(self._tree / path)
        lines = self._files[path]
        return lines[number - 1].strip().decode("utf-8", "replace") if 0 < number <= len(lines) else ""


def line_of(text: str, words: str) -> int:
    """The number, from 1, of the first line with some words; 1 when there is none."""
    place = text.find(words)
    return text.count("\n", 0, place) + 1 if place >= 0 else 1


def _read(path: Path) -> list[bytes]:
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_CLOEXEC)
    except OSError:
        return []
    with os.fdopen(descriptor, "rb") as file:
        if os.fstat(descriptor).st_size > MAX_BYTES:
            return []
        try:
            return file.read().split(b"\n")
        except OSError:  # a folder
            return []
