"""Files of Git LFS, named without running git-lfs (which would write into the repository).

What git keeps of such a file is a pointer: three lines with the SHA-256 and the size of the content, as the
LFS specification lays down. A file that is a pointer already (never downloaded) is kept as it is.
"""

import hashlib
import os
from collections.abc import Sequence
from pathlib import Path

import anyio
from anyio import to_thread

from oskit.git._command import in_repository
from oskit.git._location import Location
from oskit.git._treehash import blob_name
from oskit.git.errors import GitError, GitTimeoutError
from oskit.git.models import Limits, display

MAX_POINTER = 1024
"""A pointer is shorter than this, in bytes."""

_VERSION = b"version https://git-lfs.github.com/spec/v1\n"
_CHUNK = 1024 * 1024


async def lfs_names(
    location: Location, root: Path, paths: Sequence[bytes], limits: Limits
) -> dict[bytes, str]:
    """Give the blob names of those of `paths` that attributes hand to LFS; all are regular files."""
    if not paths:
        return {}
    answer = await in_repository(
        location,
        ("check-attr", "--stdin", "-z", "filter"),
        stdin=b"".join(path + b"\0" for path in paths),
        limits=limits,
    )
    fields = answer.stdout.split(b"\0")
    kept = [path for path, value in zip(fields[0::3], fields[2::3], strict=False) if value == b"lfs"]
    try:
        with anyio.fail_after(limits.deadline_s):
            return {path: await _name(location, root, path) for path in kept}
    except TimeoutError as problem:
        raise GitTimeoutError(
            f"Hashing the LFS files of {location.shown} took longer than {limits.deadline_s:g} s.",
            "Try again when the machine is less busy, or raise the limit.",
        ) from problem


async def _name(location: Location, root: Path, path: bytes) -> str:
    try:
        kept = await to_thread.run_sync(_kept, os.fsencode(root) + b"/" + path, abandon_on_cancel=True)
    except OSError as problem:
        raise GitError(
            f"{display(path)} in {root} cannot be read: {problem.strerror}.",
            "Make it readable, or try again when nothing changes the work tree.",
        ) from problem
    return blob_name(kept, location.object_format)


def _kept(path: bytes) -> bytes:
    """Give what git keeps of a file: its pointer, or the content when it is empty or a pointer itself."""
    digest, size = hashlib.sha256(), 0
    with open(path, "rb") as stream:  # noqa: PTH123 - the name may be no text
        start = stream.read(MAX_POINTER)
        if not start or (len(start) < MAX_POINTER and start.startswith(_VERSION)):
            return start
        chunk = start
        while chunk:
            digest.update(chunk)
            size += len(chunk)
            chunk = stream.read(_CHUNK)
    return _VERSION + f"oid sha256:{digest.hexdigest()}\nsize {size}\n".encode("ascii")
