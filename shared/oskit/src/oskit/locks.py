"""A lock between processes that says who holds it.

The kernel's `flock` decides, so a race has one winner and a dead owner, however it died, holds nothing.
The record in the file only tells people who the owner is.
"""

from __future__ import annotations

import fcntl
import json
import os
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

from oskit.clock import now, rfc3339
from oskit.files import translated
from oskit.process import ProcessIdentity

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

_RECORD_LIMIT = 16 * 1024
_RECORD_BOUND_S = 1.0


@dataclass(frozen=True, kw_only=True)
class LockOwner:
    """Who holds a lock, since when (RFC 3339), and what it said about itself."""

    identity: ProcessIdentity
    since: str
    details: Mapping[str, str]

    def to_json(self) -> bytes:
        """Return the record as it stands in the file."""
        record = {"identity": str(self.identity), "since": self.since, "details": dict(self.details)}
        return json.dumps(record).encode() + b"\n"

    @classmethod
    def from_json(cls, text: bytes) -> Self | None:
        """Read a record, or return None when it is not one (it is just being written)."""
        try:
            record = json.loads(text)
            details = {str(name): str(value) for name, value in record["details"].items()}
            return cls(
                identity=ProcessIdentity.parse(record["identity"]),
                since=str(record["since"]),
                details=details,
            )
        except (ValueError, KeyError, TypeError, AttributeError):
            return None


class LockHeldError(Exception):
    """Somebody else holds the lock: `owner`, or None when it did not say who it is."""

    def __init__(self, path: Path, owner: LockOwner | None) -> None:
        self.path = path
        self.owner = owner
        super().__init__(f"{path} is locked by {_describe(owner)}")


class FileLock:
    """The lock named `path`, held by one process of the machine at a time. Never waits for the owner.

    The file stays when the lock is released; only whether it is locked counts. Its folder must exist.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._descriptor: int | None = None

    @property
    def held(self) -> bool:
        """Whether this object holds the lock."""
        return self._descriptor is not None

    def acquire(self, owner: Mapping[str, str] | None = None) -> Self:
        """Take the lock and leave `owner`, words about us, for whoever finds it taken.

        Raises LockHeldError, also when another object of this process holds it, and StorageError.
        """
        if self._descriptor is not None:
            raise RuntimeError(f"{self.path} is already locked by this object")
        record = LockOwner(
            identity=ProcessIdentity.current(), since=rfc3339(now()), details=dict(owner or {})
        )
        with translated(self.path, "lock"):
            descriptor = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
            try:
                self._lock(descriptor)
                _replace(descriptor, record.to_json())
            except BaseException:
                os.close(descriptor)
                raise
        self._descriptor = descriptor
        return self

    def release(self) -> None:
        """Give the lock back; nothing happens when it is not held."""
        if self._descriptor is not None:
            descriptor, self._descriptor = self._descriptor, None
            with translated(self.path, "unlock"):
                try:
                    os.ftruncate(descriptor, 0)
                finally:
                    os.close(descriptor)

    def __enter__(self) -> Self:
        return self if self.held else self.acquire()

    def __exit__(self, *_: object) -> None:
        self.release()

    def _lock(self, descriptor: int) -> None:
        """Lock, or say who did, whose record comes a moment after the lock itself."""
        deadline = time.monotonic() + _RECORD_BOUND_S
        while True:
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                owner = LockOwner.from_json(os.pread(descriptor, _RECORD_LIMIT, 0))
                if (owner and owner.identity.is_alive()) or time.monotonic() > deadline:
                    raise LockHeldError(self.path, owner) from None
                time.sleep(0.002)
            else:
                return


def _replace(descriptor: int, content: bytes) -> None:
    os.ftruncate(descriptor, 0)
    os.pwrite(descriptor, content, 0)


def _describe(owner: LockOwner | None) -> str:
    if owner is None:
        return "another process"
    details = ", ".join(f"{name}: {value}" for name, value in owner.details.items())
    return f"process {owner.identity.pid} since {owner.since}" + (f" ({details})" if details else "")
