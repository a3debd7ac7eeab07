"""Files that Git LFS keeps elsewhere: git has three lines that say which and how large, seen in patches."""

from __future__ import annotations

import re
from dataclasses import dataclass

LFS = "lfs"
"""Why a linter's findings in such a file do not count: it read the pointer."""

_VERSION = re.compile(rb"^[-+ ]version https://git-lfs\.github\.com/spec/", re.MULTILINE)
_SIZE = re.compile(rb"^([-+ ])size (\d{1,18})\r?$", re.MULTILINE)
_MAX_PATCH = 4096


@dataclass(frozen=True)
class LfsSizes:
    """Bytes of the real file on both sides; None where a side has no pointer."""

    old: int | None
    new: int | None

    def __str__(self) -> str:
        """As a table shows it: `1200 -> 1300 bytes`."""
        old, new = ("none" if size is None else str(size) for size in (self.old, self.new))
        return f"{old} -> {new} bytes"


def lfs_sizes(patch: bytes) -> LfsSizes | None:
    """The sizes when a file's patch changes pointers; None for every other file."""
    if len(patch) > _MAX_PATCH or not _VERSION.search(patch):
        return None
    sizes = {mark: int(size) for mark, size in _SIZE.findall(patch)}
    same = sizes.get(b" ")
    return LfsSizes(sizes.get(b"-", same), sizes.get(b"+", same)) if sizes else None
