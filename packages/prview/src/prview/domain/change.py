"""What is reviewed: commits, changed files, and the lines they add."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from prview.domain.hunks import AddedLine, added_lines
from prview.domain.lfs import lfs_sizes

if TYPE_CHECKING:
    from prview.domain.pull_request import PullRequest

SUBMODULE_MODE = "160000"


@dataclass(frozen=True)
class ChangedFile:
    """One file of the diff. Paths are for people and JSON; `patch` is git's bytes for this file alone.

    `status` is git's letter: A added, M modified, D deleted, R renamed, C copied, T type changed.
    `added` and `deleted` count lines; both are None for binary files.
    """

    path: str
    status: str
    old_path: str | None = None
    old_mode: str = ""
    new_mode: str = ""
    added: int | None = None
    deleted: int | None = None
    binary: bool = False
    patch: bytes = field(default=b"", repr=False)

    @property
    def exists(self) -> bool:
        """Whether the reviewed commit still has the file."""
        return self.status != "D"

    @cached_property
    def added_lines(self) -> tuple[AddedLine, ...]:
        """The lines that the change adds; none for binary files."""
        return () if self.binary else added_lines(self.patch)

    @property
    def has_text(self) -> bool:
        """Whether the diff shows the file's own text: no binary file, submodule or pointer of Git LFS."""
        submodule = SUBMODULE_MODE in {self.old_mode, self.new_mode}
        return not (self.binary or submodule or lfs_sizes(self.patch))

    @cached_property
    def added_numbers(self) -> frozenset[int]:
        """Line numbers, in the reviewed commit, of the added lines."""
        return frozenset(line.number for line in self.added_lines)


@dataclass(frozen=True)
class Commit:
    """One commit of the reviewed range. `patch` is git's bytes; empty for merges, and in ranges of many."""

    sha: str
    author: str
    email: str
    time: str
    subject: str
    patch: bytes = field(default=b"", repr=False)


@dataclass(frozen=True)
class Base:
    """A base as it was named and the commit it names."""

    ref: str
    commit: str


@dataclass(frozen=True)
class Change:
    """The reviewed range: what `target` adds since `merge_base`.

    `branch` is the name runs are kept under: a branch, another revision's name, or None for a detached HEAD.
    `caveats` are sentences about how the range was chosen, for whoever reads the verdict.
    """

    target: str
    branch: str | None
    head: str
    bases: tuple[Base, ...]
    merge_base: str
    files: tuple[ChangedFile, ...]
    commits: tuple[Commit, ...]
    patch: bytes = field(default=b"", repr=False)
    base_fallback: bool = False
    dirty: bool = False
    dirty_tree: str | None = None
    checked_out: bool = True
    caveats: tuple[str, ...] = ()
    pull: PullRequest | None = None

    @cached_property
    def renames(self) -> dict[str, str]:
        """Old path to new path of every renamed file."""
        return {file.old_path: file.path for file in self.files if file.status == "R" and file.old_path}

    @cached_property
    def added_numbers(self) -> dict[str, frozenset[int]]:
        """The added line numbers of every changed file."""
        return {file.path: file.added_numbers for file in self.files}

    @property
    def base_names(self) -> list[str]:
        """The bases as they were named."""
        return [base.ref for base in self.bases]
