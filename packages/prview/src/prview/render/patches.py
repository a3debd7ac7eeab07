"""The patches of a pack, cut into pieces that can be read: one a commit, one a larger file.

All of them are git's own bytes. A piece with one commit or one file holds nothing else and applies; a batch
has a heading before each commit, which `git apply` passes over.
"""

from __future__ import annotations

import hashlib
import re
from itertools import islice
from typing import TYPE_CHECKING

from prview.render.quoting import one_line

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from prview.domain.change import Change, Commit

ONE_EACH = 10
"""Up to so many commits, each has a patch of its own."""

MAX_COMMITS = 50
"""Ranges of more commits have no patches by commit: the whole is easier to read."""

BATCH = 5
LARGE_FILE = 80
"""Changed lines from which on a file has a patch of its own."""

_UNSAFE = re.compile(r"[^A-Za-z0-9._-]+")


def commit_patches(commits: Sequence[Commit]) -> dict[str, bytes]:
    """File name to patch, the oldest first; merges, whose patch is empty, are left out."""
    if len(commits) > MAX_COMMITS:
        return {}
    if len(commits) <= ONE_EACH:
        numbered = enumerate(commits, 1)
        return {_commit_name(number, commit): commit.patch for number, commit in numbered if commit.patch}
    return {
        f"{first:04}-{first + len(batch) - 1:04}.patch": b"".join(_headed(commit) for commit in batch)
        for first, batch in _batches(commits)
    }


def file_patches(change: Change) -> dict[str, str]:
    """Path of every changed file with a patch of its own, to the name of that patch.

    Names hold letters, digits and `._-` only; a digest of the path keeps them apart on every file system.
    """
    return {
        file.path: _file_name(file.path)
        for file in change.files
        if (file.added or 0) + (file.deleted or 0) >= LARGE_FILE
    }


def _batches(commits: Sequence[Commit]) -> Iterator[tuple[int, list[Commit]]]:
    source, first = iter(commits), 1
    while batch := list(islice(source, BATCH)):
        yield first, batch
        first += len(batch)


def _headed(commit: Commit) -> bytes:
    heading = (
        f"commit {commit.sha}\nAuthor: {one_line(commit.author)} <{one_line(commit.email)}>\n"
        f"Date:   {commit.time}\n\n    {one_line(commit.subject)}\n\n"
    )
    return heading.encode("utf-8", "backslashreplace") + commit.patch + (b"\n" if commit.patch else b"")


def _commit_name(number: int, commit: Commit) -> str:
    words = _UNSAFE.sub("-", commit.subject).strip("-.")[:50].rstrip("-.")
    return f"{number:04}-{commit.sha[:12]}{'-' if words else ''}{words}.patch"


def _file_name(path: str) -> str:
    readable = _UNSAFE.sub("_", path.replace("/", "__")).strip("._-")[-80:].lstrip("._-") or "file"
    return f"{readable}-{hashlib.sha256(path.encode('utf-8', 'surrogateescape')).hexdigest()[:10]}.patch"
