"""SARIF files of packs, parsed once: agents page through the same file call by call."""

from __future__ import annotations

import hashlib
import threading
import time
from collections import OrderedDict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from oskit.files import read_bounded, translated
from prview.domain.sarif_reading import SarifItem, read_sarif
from prview.store.documents import MAX_DOCUMENT

if TYPE_CHECKING:
    from pathlib import Path

MAX_KEPT = 4
"""Files that are kept parsed; the least recently used goes first."""

SETTLED_NS = 2_000_000_000
"""Age from which a file's times tell whether it was written again; younger, they may not have moved on."""

_Identity = tuple[int, int, int, int, int]


@dataclass(frozen=True)
class ParsedSarif:
    """The findings of one file in their order, and the digest of its bytes (SHA-256, hexadecimal)."""

    items: tuple[SarifItem, ...]
    digest: str


@dataclass
class SarifFiles:
    """Reads SARIF files, from any thread, and remembers them for as long as the file is the very same."""

    _kept: OrderedDict[Path, tuple[_Identity, ParsedSarif]] = field(default_factory=OrderedDict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def read(self, path: Path) -> ParsedSarif:
        """Return a file's findings. Raises StorageError (Missing when there is none), StorageCorruptError."""
        before = _identity(path)
        known = self._known(path, before)
        if known is not None:
            return known
        data = read_bounded(path, MAX_DOCUMENT)
        parsed = ParsedSarif(read_sarif(data), hashlib.sha256(data).hexdigest())
        if _identity(path) == before and _settled(before):
            self._keep(path, before, parsed)
        return parsed

    def _known(self, path: Path, identity: _Identity) -> ParsedSarif | None:
        with self._lock:
            kept, parsed = self._kept.pop(path, (None, None))
            if parsed is None or kept != identity:
                return None
            self._kept[path] = (identity, parsed)
            return parsed

    def _keep(self, path: Path, identity: _Identity, parsed: ParsedSarif) -> None:
        with self._lock:
            self._kept[path] = (identity, parsed)
            while len(self._kept) > MAX_KEPT:
                self._kept.popitem(last=False)


def _identity(path: Path) -> _Identity:
    """Device, number, size and times of the file: they change with every write, also one of the same size."""
    with translated(path, "read"):
        found = path.stat()
    return found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns


def _settled(identity: _Identity) -> bool:
    """Whether a later write must show in the times, whose steps can be as long as this."""
    return time.time_ns() - max(identity[3:]) > SETTLED_NS
