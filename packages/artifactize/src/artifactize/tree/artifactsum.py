"""The default fingerprint: one digest over paths, executable bits and bytes of an Artifact's own files."""

from __future__ import annotations

import hashlib
import os
import stat
from typing import TYPE_CHECKING, NamedTuple, Protocol

from artifactize.tree.own_files import FingerprintError, display

if TYPE_CHECKING:
    from collections.abc import Sequence

    from artifactize.tree.own_files import OwnFile

MAX_BYTES = 1024 * 1024 * 1024
PREFIX = "artifactsum:"
SHORT = 16
"""Hexadecimal digits of a file's digest that a manifest keeps: they explain a change, they decide nothing."""

_CHUNK = 1024 * 1024


class FileDigest(NamedTuple):
    """The SHA-256 of a file, its size in bytes, whether its owner may execute it."""

    sha256: bytes
    size: int
    executable: bool


class Digests(Protocol):
    """Where the digest of a file comes from; a cache may stand in front of reading it."""

    def of(self, place: str) -> FileDigest:
        """Return the digest of the regular file at a path. Raises OSError."""
        ...


class ReadingDigests:
    """Reads every file, every time."""

    def of(self, place: str) -> FileDigest:
        """Return the digest of the regular file at a path. Raises OSError; links are not followed."""
        descriptor = os.open(place, os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK)
        with os.fdopen(descriptor, "rb", buffering=0) as file:
            found = os.fstat(descriptor)
            if not stat.S_ISREG(found.st_mode):
                raise OSError(0, "not a regular file any more", place)
            digest = hashlib.sha256()
            size = 0
            while chunk := file.read(_CHUNK):
                digest.update(chunk)
                size += len(chunk)
        return FileDigest(digest.digest(), size, bool(found.st_mode & stat.S_IXUSR))


def artifactsum(name: str, files: Sequence[OwnFile], digests: Digests) -> tuple[str, dict[str, str]]:
    """Return the fingerprint with its manifest (path to short digest, `*` behind executables).

    `files` are in path order. Raises FingerprintError for what cannot be read, and beyond 1 GiB.
    """
    whole = hashlib.sha256()
    manifest: dict[str, str] = {}
    total = 0
    for file in files:
        found = _digest(name, file, digests)
        total += found.size
        if total > MAX_BYTES:
            raise FingerprintError(f"{name}: more than 1 GiB; split it into child Artifacts, or ignore some")
        mark = b"x" if found.executable else b"-"
        # the path ends at its NUL and everything after has a fixed length, so no two trees read the same
        whole.update(os.fsencode(file.path) + b"\0" + mark + found.sha256)
        manifest[display(file.path)] = found.sha256.hex()[:SHORT] + ("*" if found.executable else "")
    return PREFIX + whole.hexdigest(), manifest


def _digest(name: str, file: OwnFile, digests: Digests) -> FileDigest:
    try:
        return digests.of(file.place)
    except OSError as failure:
        raise FingerprintError(f"{name}: cannot read {display(file.path)}: {failure.strerror}") from failure
