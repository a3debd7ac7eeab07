"""One bounded pass over the text files of the reviewed commit."""

from __future__ import annotations

import os
import re
import stat
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

from prview.signals.roles import is_lock

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from prview.signals.own import Own

MAX_FILES = 20_000
MAX_BYTES = 64 * 1024 * 1024
MAX_FILE = 512 * 1024
"""Bounds of a pass: what it reads at most, and which files are too large to be written by a person."""

_FEW = 64  # needles; up to here looking for each is faster than cutting the file into words
_WORD = re.compile(r"\w+")
_SNIFFED = 8192
_NOT_TEXT = re.compile(
    r"\.(?:7z|avi|bin|bmp|bz2|class|db|diff|dll|dylib|eot|exe|gif|gz|ico|jar|jpe?g|lock|map|mov|mp3|mp4|o|otf"
    r"|patch|pdf|png|pyc|snap|so|svg|tar|tgz|ttf|wasm|wav|webm|webp|whl|woff2?|xz|zip)$",
    re.IGNORECASE,
)


@dataclass
class HeadPass:
    """Looks once at the repository's own text files, in order of path.

    `needles` are words (letters, digits, underscores): only files that have one of them are given.
    `wanted` narrows the paths. `cut` says afterwards, as a sentence, what was not looked at; None when
    all was.
    """

    own: Own
    needles: frozenset[bytes]
    wanted: Callable[[str], bool] = field(default=lambda path: True)  # noqa: ARG005 - its name is documentation
    cut: str | None = None
    max_bytes: int = MAX_BYTES
    max_files: int = MAX_FILES

    def files(self) -> Iterator[tuple[str, str]]:
        """Path and text of every file with one of the needles."""
        if not self.needles:
            return
        room, seen = self.max_bytes, 0
        paths = [path for path in sorted(self.own.head.paths) if self._is_candidate(path)]
        for path in paths:
            if seen >= self.max_files or room <= 0:
                self.cut = f"{len(paths) - seen} of {len(paths)} files were not searched: too much text"
                return
            seen += 1
            data = _read(os.fspath(self.own.head.tree / path))
            if data is None:
                continue
            room -= len(data)
            text = self._text(data)
            if text is not None:
                yield path, text

    def _is_candidate(self, path: str) -> bool:
        if _NOT_TEXT.search(path) or is_lock(path) or not self.wanted(path):
            return False
        return self.own.head_foreign.reason(path) is None

    def _text(self, data: bytes) -> str | None:
        """The text, when it has one of the needles."""
        if len(self.needles) <= _FEW:
            return _decoded(data) if any(needle in data for needle in self.needles) else None
        text = _decoded(data)
        return None if self._words.isdisjoint(words_of(text)) else text

    @cached_property
    def _words(self) -> frozenset[str]:
        return frozenset(needle.decode() for needle in self.needles)


@lru_cache(maxsize=16)
def words_of(text: str) -> frozenset[str]:
    """All words of a text; kept for who asks again right after the pass that had to know them."""
    return frozenset(_WORD.findall(text))


def _decoded(data: bytes) -> str:
    return data.decode("utf-8", "replace")


def _read(path: str) -> bytes | None:
    """The bytes of a text file of reasonable size, links not followed; None for anything else."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return None
    with os.fdopen(descriptor, "rb") as file:
        status = os.fstat(file.fileno())
        if not stat.S_ISREG(status.st_mode) or status.st_size > MAX_FILE:
            return None
        data = file.read(MAX_FILE)
    return None if b"\0" in data[:_SNIFFED] else data
