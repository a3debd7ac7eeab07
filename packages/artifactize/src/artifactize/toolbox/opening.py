"""Opening files below a folder without ever following a symbolic link or waiting for a special file."""

from __future__ import annotations

import os
import stat
from contextlib import contextmanager
from typing import TYPE_CHECKING

from artifactize.toolbox.contract import ToolFault

if TYPE_CHECKING:
    from collections.abc import Iterator
    from io import BufferedReader
    from pathlib import Path

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
# O_NONBLOCK: a file that has become a pipe would wait for a writer
_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


@contextmanager
def opened(base: Path, place: str, *, shown: str) -> Iterator[BufferedReader]:
    """Open the regular file at `place` below `base`; errors call it `shown`. Raises ToolFault."""
    try:
        descriptor = _descend(base, place.split("/"))
    except OSError as failure:
        why = failure.strerror or "it cannot be opened"
        raise ToolFault("UNREADABLE", f"{shown} cannot be read: {why}") from failure
    with os.fdopen(descriptor, "rb") as file:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise ToolFault("UNREADABLE", f"{shown} is not a regular file any more")
        yield file


def _descend(base: Path, segments: list[str]) -> int:
    folder = os.open(base, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        for segment in segments[:-1]:
            inner = os.open(segment, _FOLDER, dir_fd=folder)
            os.close(folder)
            folder = inner
        return os.open(segments[-1], _FILE, dir_fd=folder)
    finally:
        os.close(folder)
