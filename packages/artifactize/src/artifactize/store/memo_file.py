"""A file of remembered answers: sections that are read one by one, and only as far as they are whole.

Only what this very Python wrote is read back, from the private state directory. Anything odd about the file
means that nothing is remembered.
"""

from __future__ import annotations

import marshal
import os
import sys
import zlib

TYPE_CHECKING = False  # importing typing costs more than a whole look at a small project
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

FORMAT = 3
"""Moves with every change of what sections hold or of what the remembered answers depend on."""

_MAGIC = f"artifactize memo {FORMAT} {sys.implementation.cache_tag} {marshal.version}\n".encode()
_LENGTH = 8


class NothingRemembered(Exception):  # noqa: N818 - no error: the usual case on a first run
    """There is no usable memo."""


def place_of(state_dir: str, repository: str) -> str:
    """Return where the memo of a repository is kept."""
    return f"{state_dir}/memos/{zlib.crc32(os.fsencode(repository)):08x}.memo"


class MemoFile:
    """An opened memo; `section` may be called in any order."""

    def __init__(self, place: str) -> None:
        try:
            with open(place, "rb", buffering=0) as file:  # noqa: PTH123 - pathlib is not loaded
                self._data = memoryview(file.read())
        except OSError:
            raise NothingRemembered from None
        if bytes(self._data[: len(_MAGIC)]) != _MAGIC:
            raise NothingRemembered
        self._sections: list[tuple[int, int, int]] = []
        at = len(_MAGIC)
        while at < len(self._data):
            length = int.from_bytes(self._data[at : at + _LENGTH], "big")
            crc = int.from_bytes(self._data[at + _LENGTH : at + 2 * _LENGTH], "big")
            at += 2 * _LENGTH
            self._sections.append((at, at + length, crc))
            at += length

    def section(self, index: int) -> Any:  # noqa: ANN401 - what was written
        """Return a section. Raises NothingRemembered when it is damaged."""
        if index >= len(self._sections):
            raise NothingRemembered
        start, end, crc = self._sections[index]
        data = self._data[start:end]
        if len(data) != end - start or zlib.crc32(data) != crc:
            raise NothingRemembered
        try:
            return marshal.loads(data)  # noqa: S302 - our own, from a folder that only we can write
        except (EOFError, ValueError, TypeError):
            raise NothingRemembered from None


def write_memo(place: str, sections: Sequence[Any]) -> None:
    """Replace a memo whole; readers see the old one or the new one. Raises OSError, ValueError.

    It is not forced to the disk: one that a power cut tears is not read, and made again.
    """
    os.makedirs(os.path.dirname(place), mode=0o700, exist_ok=True)  # noqa: PTH103, PTH120 - as above
    parts = [marshal.dumps(section) for section in sections]
    temporary = f"{place}.{os.getpid()}"
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        file.write(_MAGIC)
        for data in parts:
            file.write(len(data).to_bytes(_LENGTH, "big") + zlib.crc32(data).to_bytes(_LENGTH, "big") + data)
    os.replace(temporary, place)  # noqa: PTH105 - as above
