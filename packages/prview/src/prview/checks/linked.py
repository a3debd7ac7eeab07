"""Packages that are installed as links to folders elsewhere: they change without an installation."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

MAX_FILES = 20_000
"""Files of one linked folder beyond which nothing is reused."""

_SKIPPED = frozenset({"node_modules", ".git", "__pycache__", ".venv", "venv"})


def linked_stamps(folder: Path, *, ends: tuple[str, ...] = ("",)) -> Iterator[str]:
    """Every file below a folder with when and how it was last written.

    Of a folder with more files than can be looked at, the last word is never the same twice.
    """
    seen = 0
    for place, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if name not in _SKIPPED)
        for name in sorted(files):
            if name.endswith(ends):
                yield f"{place}/{name} {stamp(f'{place}/{name}')}"
        seen += len(files)
        if seen > MAX_FILES:
            yield os.urandom(16).hex()
            return


def stamp(path: str | Path) -> str:
    """The identity, size and time of a file; "" when there is none."""
    try:
        status = os.stat(path)  # noqa: PTH116 - also called with text, often
    except OSError:
        return ""
    return f"{status.st_ino} {status.st_size} {status.st_mtime_ns}"
