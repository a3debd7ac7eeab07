"""Files that are whole or absent, and folders that nobody else can write.

StorageError
├── StorageReadOnlyError    the place cannot be written: read-only file system or missing permission
├── StorageFullError        no space, no quota, or a file-size limit
├── StorageTooLargeError    a file is larger than its reader allows
├── StorageMissingError     the file or a folder on the way does not exist
└── UnsafeDirectoryError    somebody else owns or could write the folder, or it is no folder
"""

from __future__ import annotations

import contextlib
import errno
import os
import secrets
import stat
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_READ_ONLY = frozenset({errno.EROFS, errno.EACCES, errno.EPERM})
_FULL = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})
_OTHERS_WRITE = stat.S_IWGRP | stat.S_IWOTH


class StorageError(Exception):
    """Something on disk could not be read or written. `hint` is the next step for a person."""

    def __init__(self, message: str, *, path: Path, hint: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.path = path
        self.hint = hint


class StorageReadOnlyError(StorageError):
    """The place cannot be written by us."""


class StorageFullError(StorageError):
    """There is no room left."""


class StorageTooLargeError(StorageError):
    """The file is larger than the reader allows."""


class StorageMissingError(StorageError):
    """The file, or a folder on the way to it, does not exist."""


class UnsafeDirectoryError(StorageError):
    """The folder is not ours alone."""


def atomic_write(path: Path, data: bytes | str, *, mode: int = 0o600) -> None:
    """Put `data` (text as UTF-8) at `path`: a reader sees the old file or the new one, also after a crash.

    The bytes go to a temporary file beside it, reach the disk, and are renamed over; on any failure the
    temporary file is gone and the old one untouched. Raises a StorageError.
    """
    content = data.encode() if isinstance(data, str) else data
    temporary = path.with_name(f".{path.name[:100]}.{secrets.token_hex(8)}.tmp")
    with translated(path, "write"):
        try:
            _write_new(temporary, content, mode=mode)
            temporary.replace(path)
        except BaseException:
            temporary.unlink(missing_ok=True)
            raise
        _sync_directory(path.parent)


def ensure_private_dir(path: Path) -> Path:
    """Make `path` a folder that only this user can use (mode 0700) and return it.

    Missing folders on the way are made with the same mode, and a folder of ours that others may read is
    closed to them. One that others may write, that another user owns, or that lies below a folder where
    anybody may rename it raises UnsafeDirectoryError: what is in it could be planted.
    """
    with translated(path, "create the folder"):
        _make_private(path)
        _refuse_shared_ancestor(path)
        found = path.lstat()
        _refuse_unsafe(path, found)
        if stat.S_IMODE(found.st_mode) != stat.S_IRWXU:
            path.chmod(stat.S_IRWXU)
    return path


def read_bounded(path: Path, limit: int) -> bytes:
    """Return the bytes of the regular file `path`; more than `limit` raise StorageTooLargeError.

    Never blocks on a pipe or a device in the file's place.
    """
    with translated(path, "read"):
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
        with os.fdopen(descriptor, "rb") as file:
            if not stat.S_ISREG(os.fstat(descriptor).st_mode):
                raise StorageError(f"cannot read {path}: it is not a regular file", path=path)
            data = file.read(limit + 1)
    if len(data) > limit:
        raise StorageTooLargeError(f"{path} is larger than {limit} bytes", path=path)
    return data


@contextlib.contextmanager
def translated(path: Path, action: str) -> Iterator[None]:
    """Turn the OSErrors of the block, which tries to `action` something at `path`, into StorageErrors."""
    try:
        yield
    except OSError as exc:
        raise _storage_error(exc, path, action) from exc


def _storage_error(exc: OSError, path: Path, action: str) -> StorageError:
    message = f"cannot {action} {path}: {exc.strerror or exc}"
    if exc.errno in _FULL:
        return StorageFullError(
            message, path=path, hint="free some space or choose another directory, then try again"
        )
    if exc.errno in _READ_ONLY:
        return StorageReadOnlyError(message, path=path, hint="choose a directory that you can write")
    if exc.errno == errno.ENOENT:
        return StorageMissingError(message, path=path)
    return StorageError(message, path=path)


def _write_new(path: Path, content: bytes, *, mode: int) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC | os.O_NOFOLLOW, mode)
    with os.fdopen(descriptor, "wb", buffering=0) as file:
        os.fchmod(descriptor, mode)  # whatever the umask took away
        remaining = memoryview(content)
        while remaining:
            remaining = remaining[file.write(remaining) :]
        os.fsync(descriptor)


def _sync_directory(path: Path) -> None:
    """Make the rename durable; a file system that cannot (some on a network) says EINVAL, harmlessly."""
    descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        with contextlib.suppress(OSError):
            os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _make_private(path: Path) -> None:
    for missing in reversed([folder for folder in (path, *path.parents) if not os.path.lexists(folder)]):
        with contextlib.suppress(
            FileExistsError
        ):  # another process of ours was first; what it made is checked below
            missing.mkdir(mode=0o700)


def _refuse_unsafe(path: Path, found: os.stat_result) -> None:
    if not stat.S_ISDIR(found.st_mode):
        raise UnsafeDirectoryError(
            f"{path} is not a directory", path=path, hint="remove it or choose another place"
        )
    if found.st_uid != os.geteuid():
        message = f"{path} belongs to user id {found.st_uid}, not to you"
        raise UnsafeDirectoryError(message, path=path, hint="choose a directory of your own")
    if found.st_mode & _OTHERS_WRITE:
        mode = f"{stat.S_IMODE(found.st_mode):04o}"
        raise UnsafeDirectoryError(
            f"other users may write {path} (mode {mode})", path=path, hint=f"run: chmod 700 {path}"
        )


def _refuse_shared_ancestor(path: Path) -> None:
    """Refuse to be where all may rename: below a folder that everybody writes and that is not sticky."""
    for ancestor in path.resolve().parents:
        mode = ancestor.stat().st_mode
        if mode & stat.S_IWOTH and not mode & stat.S_ISVTX:
            message = f"{path} is not private: every user may rename what is in {ancestor}"
            raise UnsafeDirectoryError(message, path=path, hint="choose a directory below your home")
