"""Where the store lies and what it must be like: known without the database library."""

from __future__ import annotations

import grp
import os
import pwd
import re
import stat
from importlib.resources import files
from typing import TYPE_CHECKING

from codevetter_verify.errors import StorageFailedError
from oskit.files import StorageError, UnsafeDirectoryError, ensure_private_dir
from oskit.locations import data_dir

if TYPE_CHECKING:
    from pathlib import Path

    from codevetter_verify.domain.records import Permission

APP = "codevetter"
HOME_VAR = "CODEVETTER_HOME"
FILE_NAME = "codevetter.sqlite3"
PERMISSION_TABLES: dict[Permission, str] = {
    "verification": "enablements",
    "history": "history_enablements",
}
"""Where each permission lies."""
OURS_ALONE = stat.S_IRUSR | stat.S_IWUSR
_MIGRATION = re.compile(r"(\d{4})_\w+\.sql")


def receipts_home() -> Path:
    """Where receipts and their files lie: CODEVETTER_HOME, else the platform's data directory.

    Raises `StorageFailedError`.
    """
    try:
        return data_dir(APP, HOME_VAR)
    except StorageError as exc:
        raise StorageFailedError(exc.message, hint=exc.hint) from exc


def private_home(home: Path) -> None:
    """Make `home` if need be, or raise a `StorageError` where somebody else could have put it there."""
    ensure_private_dir(home)
    refuse_worktree(home)
    _refuse_shared_parents(home)


def refuse_worktree(home: Path) -> None:
    """Raise when `home` lies in a git work tree, which a run must leave as it is."""
    for folder in (home.resolve(), *home.resolve().parents):
        if (folder / ".git").exists():
            message = f"{home} is inside the git work tree {folder}, which is never written"
            raise UnsafeDirectoryError(message, path=home, hint="set CODEVETTER_HOME to a directory outside")


def refuse_shared_file(file: Path) -> None:
    """Raise when another user could have written the database; a file that others may read is closed to them.

    Raises `UnsafeDirectoryError` and what looking at a file raises.
    """
    found = file.lstat()
    ours = stat.S_ISREG(found.st_mode) and found.st_uid == os.geteuid()
    if not ours or stat.S_IMODE(found.st_mode) & (stat.S_IWGRP | stat.S_IWOTH):
        message = f"{file} is not a file that only this user can write: what is in it could be planted"
        raise UnsafeDirectoryError(
            message, path=file, hint=f"look at it, then `chmod 600 {file}` or remove it"
        )
    if stat.S_IMODE(found.st_mode) != OURS_ALONE:
        file.chmod(OURS_ALONE)


def refuse_replaced(file: Path) -> None:
    """Raise when a database that was opened before has become one that others could write.

    Nothing is made anew: a file that is gone raises `FileNotFoundError`.
    """
    folder = file.parent.lstat()
    others = stat.S_IMODE(folder.st_mode) & (stat.S_IWGRP | stat.S_IWOTH)
    if not stat.S_ISDIR(folder.st_mode) or folder.st_uid != os.geteuid() or others:
        message = f"{file.parent} is not a folder that only this user can write any more"
        raise UnsafeDirectoryError(
            message, path=file.parent, hint=f"look at it, then `chmod 700 {file.parent}`"
        )
    refuse_shared_file(file)


def _refuse_shared_parents(home: Path) -> None:
    """Refuse to be where the members of a group may rename: they could put another folder there."""
    for folder in home.resolve().parents:
        found = folder.stat()
        writable = found.st_mode & stat.S_IWGRP and not found.st_mode & stat.S_ISVTX
        if writable and not _our_own_group(found.st_gid):
            message = f"{home} is not private: a group of users may rename what is in {folder}"
            raise UnsafeDirectoryError(message, path=home, hint=f"`chmod g-w {folder}`, or set {HOME_VAR}")


def _our_own_group(gid: int) -> bool:
    """Whether a group is this user's alone, as many systems give one to everybody; root's counts as such."""
    if gid == 0:
        return True
    try:
        group, user = grp.getgrgid(gid), pwd.getpwuid(os.geteuid())
    except KeyError:  # a container's user or group without a name
        return gid == os.getegid()
    return (group.gr_name, gid) == (user.pw_name, user.pw_gid) and set(group.gr_mem) <= {user.pw_name}


def migrations() -> list[str]:
    """The migrations this program knows, in their order: the script number n makes version n."""
    folder = files("codevetter_verify.store.migrations")
    found = {int(m[1]): entry for entry in folder.iterdir() if (m := _MIGRATION.fullmatch(entry.name))}
    return [found[number].read_text("utf-8") for number in sorted(found)]
