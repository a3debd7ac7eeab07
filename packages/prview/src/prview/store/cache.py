"""Results of checks, kept by the digest of everything they depend on.

$PRVIEW_HOME/cache/checks/<2 hex digits>/<key>      SHA-256 of the rest, a line end, the content

The file's time is when it was last of use. An entry that is damaged, or is not what it should be, is not
there. Nothing about the cache ever fails a review: what cannot be written is not kept.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
from dataclasses import dataclass
from pathlib import Path

from oskit.files import StorageError, atomic_write, ensure_private_dir, read_bounded

MAX_ENTRY = 16 * 1024 * 1024
"""Bytes of one entry; a larger result is not kept."""

MAX_BYTES = 512 * 1024 * 1024
"""Bytes of all entries; the least recently used go first."""

MAX_ENTRIES = 4096
"""Number of entries."""

_DIGEST_CHARS = 64


@dataclass
class ResultCache:
    """The entries below `folder`; nothing is created before something is kept."""

    folder: Path
    max_bytes: int = MAX_BYTES
    max_entries: int = MAX_ENTRIES
    _pruned: bool = False

    def get(self, key: str) -> bytes | None:
        """Return what is kept under a key (64 hexadecimal digits), or None."""
        path = self._path(key)
        try:
            data = read_bounded(path, MAX_ENTRY + _DIGEST_CHARS + 1)
        except StorageError:
            return None
        digest, _, content = data.partition(b"\n")
        if hashlib.sha256(content).hexdigest().encode() != digest:
            return None
        with contextlib.suppress(OSError):
            os.utime(path)
        return content

    def put(self, key: str, content: bytes) -> None:
        """Keep `content` under `key`; once in a process the oldest entries beyond the bounds are dropped."""
        if len(content) > MAX_ENTRY:
            return
        path = self._path(key)
        digest = hashlib.sha256(content).hexdigest().encode()
        with contextlib.suppress(StorageError):
            ensure_private_dir(path.parent)
            atomic_write(path, digest + b"\n" + content)
        if not self._pruned:
            self._pruned = True
            self.prune()

    def prune(self) -> None:
        """Drop the least recently used entries until the bounds hold."""
        kept = size = 0
        for _, bytes_, path in sorted(self._entries(), reverse=True):
            kept, size = kept + 1, size + bytes_
            if kept > self.max_entries or size > self.max_bytes:
                with contextlib.suppress(OSError):
                    path.unlink()

    def _path(self, key: str) -> Path:
        return self.folder / key[:2] / key

    def _entries(self) -> list[tuple[int, int, Path]]:
        """Time of last use, size and path of every file."""
        found: list[tuple[int, int, Path]] = []
        for parent, _, names in os.walk(self.folder):
            for name in names:
                path = Path(parent, name)
                with contextlib.suppress(OSError):  # another process may be pruning, too
                    status = path.lstat()
                    found.append((status.st_mtime_ns, status.st_size, path))
        return found
