"""Source files of an exported tree, read within bounds and never through a link."""

from __future__ import annotations

import os
import stat
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from prview.domain.foreign import ATTRIBUTES, ForeignFiles
from prview.signals.side_tree import SideTree, side_trees

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from prview.signals.base import SignalContext

MAX_SOURCE_BYTES = 1024 * 1024
"""Bytes of one file; source that a person wrote is smaller."""

_LINK = "is a link or cannot be opened"


@dataclass(frozen=True)
class Unread:
    """A file that could not be read, and why, as the end of a sentence: `is larger than 1 MiB`."""

    path: str
    reason: str


def read_source(tree: Path | SideTree, path: str, *, limit: int = MAX_SOURCE_BYTES) -> str | Unread | None:
    """The text of a file below `tree`; None when there is no file, Unread when it is not readable text.

    More than `limit` bytes are not read: what a program wrote (a lock file) may be larger than source.
    """
    if isinstance(tree, SideTree) and path in tree.contents:
        mode, data = tree.contents[path]
        return Unread(path, _LINK) if mode == "120000" else _text(path, data, limit)
    return _from_disk(tree / path, path, limit)


def _from_disk(place: Path, path: str, limit: int) -> str | Unread | None:
    try:
        descriptor = os.open(place, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError:
        return Unread(path, _LINK)
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            return Unread(path, "is not a file")
        with os.fdopen(descriptor, "rb", closefd=False) as file:
            data = file.read(limit + 1)
    finally:
        os.close(descriptor)
    return _text(path, data, limit)


def _text(path: str, data: bytes, limit: int) -> str | Unread:
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
    tree = (await side_trees(context))[side]
    named = sorted(path for path in tree.contents if path.rpartition("/")[2] == ATTRIBUTES)
    return ForeignFiles(_texts(tree, named), ignored=context.config.ignored)


def _texts(tree: SideTree, paths: Iterable[str]) -> dict[str, str]:
    read = {path: read_source(tree, path) for path in paths}
    return {path: text for path, text in read.items() if isinstance(text, str)}
