"""Whether everything that an earlier look at a repository saw is still so: one `stat` a file, no reading.

Loaded before anything else when `verify` or `status` starts, so that it imports next to nothing.
"""

from __future__ import annotations

import os
import stat

from artifactize.tree.stamps import stamp_of

TYPE_CHECKING = False  # as in `stamps`
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import TypeAlias

    from artifactize.tree.stamps import Stamp

    Entries: TypeAlias = dict[str, str | Stamp]
    Folder: TypeAlias = tuple[str, bool, Entries]

_KINDS = {stat.S_IFDIR: "d", stat.S_IFREG: "f", stat.S_IFLNK: "l"}
_TELLING = frozenset({".gitignore", ".artfignore", ".artifactizeignore", "artifactize.json"})


def is_telling(name: str) -> bool:
    """Whether a file with this name says something about others: a declaration or an ignore file."""
    return name.endswith(".artf") or name in _TELLING


def kind_of_mode(mode: int) -> str:
    """Return `d`, `f`, `l`, or `o` for everything that is neither folder, regular file nor link."""
    return _KINDS.get(stat.S_IFMT(mode), "o")


def kind_of_entry(entry: os.DirEntry[str]) -> str:
    """Return the kind of a folder's entry as `kind_of_mode` words it."""
    if entry.is_file(follow_symlinks=False):
        return "f"
    if entry.is_dir(follow_symlinks=False):
        return "d"
    return "l" if entry.is_symlink() else "o"


class Changed(Exception):  # noqa: N818 - no error: an answer that ends the search for it
    """Something is there now that was not, or the other way round, or is of another kind."""


def doubtful(root: str, folders: Sequence[Folder], others: Mapping[str, Stamp | str | None]) -> list[str]:
    """Return the files whose bytes may have changed. Raises Changed, OSError.

    `folders` are what was listed, with the stamp or kind of each entry; true says that all entries count,
    else only folders and telling files. `others` are files and places outside of them; None is nothing.
    """
    found: list[str] = []
    for folder, is_whole, entries in folders:
        _recheck_folder(root, folder, entries, found, is_whole=is_whole)
    for path, expected in others.items():
        _recheck_other(root, path, expected, found)
    return found


def _recheck_folder(root: str, folder: str, entries: Entries, found: list[str], *, is_whole: bool) -> None:
    left = len(entries)
    get = entries.get
    with os.scandir(f"{root}/{folder}" if folder else root) as listed:
        for entry in listed:
            expected = get(entry.name)
            if expected.__class__ is tuple:
                now = entry.stat(follow_symlinks=False)
                # the same as stamp_of(now) != expected, which as a call costs a quarter of the whole look
                if (
                    now.st_mtime_ns, now.st_ctime_ns, now.st_size, now.st_ino, now.st_dev, now.st_mode,
                ) != expected:  # fmt: skip
                    _doubt(folder, entry.name, now, found)
            elif expected is None:
                if is_whole or is_telling(entry.name) or entry.is_dir(follow_symlinks=False):
                    raise Changed
                continue
            elif kind_of_entry(entry) != expected:
                raise Changed
            left -= 1
    if left:
        raise Changed


def _recheck_other(root: str, path: str, expected: Stamp | str | None, found: list[str]) -> None:
    try:
        now = os.lstat(f"{root}/{path}")
    except FileNotFoundError:
        if expected is None:
            return
        raise
    if expected is None or (isinstance(expected, str) and kind_of_mode(now.st_mode) != expected):
        raise Changed
    if not isinstance(expected, str) and stamp_of(now) != expected:
        _doubt("", path, now, found)


def _doubt(folder: str, name: str, now: os.stat_result, found: list[str]) -> None:
    if not stat.S_ISREG(now.st_mode):
        raise Changed
    found.append(f"{folder}/{name}" if folder else name)
