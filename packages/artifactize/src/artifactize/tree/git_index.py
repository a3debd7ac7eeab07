"""Where git's index of a project is, and whether it is still the same file: git replaces it whole."""

from __future__ import annotations

import os

TYPE_CHECKING = False  # as in `stamps`
if TYPE_CHECKING:
    from typing import TypeAlias

    GitIndex: TypeAlias = tuple[str, tuple[int, int, int, int] | None]

_MAX_POINTER = 64 * 1024


def index_of(root: str) -> GitIndex | None:
    """Return the `.git` of a folder, or of the nearest one around it, with what tells index files apart.

    None outside of git; the latter is None when there is no index, or it cannot be found.
    """
    git = find_git(root)
    return None if git is None else (git, _signature(git))


def find_git(root: str) -> str | None:
    """Return the `.git` of a folder or of the nearest one around it, or None outside of git."""
    while True:
        place = os.path.join(root, ".git")  # noqa: PTH118 - pathlib is not loaded
        if os.path.exists(place):  # noqa: PTH110 - as above
            return place
        above = os.path.dirname(root)  # noqa: PTH120 - as above
        if above == root:
            return None
        root = above


def _signature(git: str) -> tuple[int, int, int, int] | None:
    try:
        found = os.stat(f"{_git_folder(git)}/index")  # noqa: PTH116 - as above
    except (OSError, ValueError):
        return None
    return found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns


def _git_folder(git: str) -> str:
    if os.path.isdir(git):  # noqa: PTH112 - as above
        return git
    with open(git, encoding="utf-8", errors="surrogateescape") as file:  # noqa: PTH123 - as above
        pointer = file.read(_MAX_POINTER).removeprefix("gitdir:").strip()
    return os.path.join(os.path.dirname(git), pointer)  # noqa: PTH118, PTH120 - as above
