"""Source files of an exported tree, read within bounds and never through a link."""

from __future__ import annotations

import os
import stat
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from prview.domain.foreign import ATTRIBUTES, ForeignFiles

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from prview.signals.base import SignalContext

MAX_SOURCE_BYTES = 1024 * 1024
"""Bytes of one file; source that a person wrote is smaller."""

_MAX_ATTRIBUTE_FILES = 200


@dataclass(frozen=True)
class Unread:
    """A file that could not be read, and why, as the end of a sentence: `is larger than 1 MiB`."""

    path: str
    reason: str


def read_source(tree: Path, path: str, *, limit: int = MAX_SOURCE_BYTES) -> str | Unread | None:
    """The text of a file below `tree`; None when there is no file, Unread when it is not readable text.

    More than `limit` bytes are not read: what a program wrote (a lock file) may be larger than source.
    """
    try:
        descriptor = os.open(tree / path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError:
        return Unread(path, "is a link or cannot be opened")
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            return Unread(path, "is not a file")
        with os.fdopen(descriptor, "rb", closefd=False) as file:
            data = file.read(limit + 1)
    finally:
        os.close(descriptor)
    if len(data) > limit:
        return Unread(path, f"is larger than {limit // (1024 * 1024)} MiB")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return Unread(path, "is not UTF-8")


async def foreign_files(context: SignalContext, *, side: Literal["base", "head"]) -> ForeignFiles:
    """What one side says is not its own work.

    What the base had is judged by the base: a branch that declares a file generated does not get rid of what
    is said about changing it.
    """
    tree = await (context.trees.base() if side == "base" else context.trees.head())
    paths = context.base_paths if side == "base" else context.head_paths
    named = sorted(path for path in paths if path.rpartition("/")[2] == ATTRIBUTES)
    return ForeignFiles(_texts(tree, named[:_MAX_ATTRIBUTE_FILES]), ignored=context.config.ignored)


def _texts(tree: Path, paths: Iterable[str]) -> dict[str, str]:
    read = {path: read_source(tree, path) for path in paths}
    return {path: text for path, text in read.items() if isinstance(text, str)}
