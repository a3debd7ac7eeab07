"""What the reader answers with: frozen values, names of files as git's own bytes."""

from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

MEBIBYTE = 1024 * 1024


@dataclass(frozen=True)
class Limits:
    """Bounds of one git process: seconds until it is killed, bytes of output that are accepted."""

    deadline_s: float = 30.0
    output_bytes: int = 8 * MEBIBYTE


SMALL = Limits()
"""Questions with short answers: 30 s and 8 MiB."""

LARGE = Limits(deadline_s=120.0, output_bytes=256 * MEBIBYTE)
"""Diffs, logs, blobs and trees: 120 s and 256 MiB."""


def display(path: bytes) -> str:
    r"""Give a file's name as text: UTF-8 as it is, any other byte as `\xNN`, so that names stay distinct."""
    return path.decode("utf-8", "backslashreplace")


@dataclass(frozen=True)
class Head:
    """What is checked out: `branch` is None when detached, `commit` is None before the first commit."""

    branch: str | None
    commit: str | None


@dataclass(frozen=True)
class DefaultBranch:
    """The branch that others are compared with.

    `ref` is the full name (`refs/remotes/origin/main`); `fallback` means that nobody declared it and it was
    guessed by name, which `caveats` says in words.
    """

    ref: str
    commit: str
    fallback: bool
    caveats: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """Short name for people: `origin/main` or `main`."""
        return self.ref.removeprefix("refs/remotes/").removeprefix("refs/heads/")


@dataclass(frozen=True)
class ChangedPath:
    """One changed file without its content: the fields of git's raw diff format.

    `status` is A, D, M, R or T (type change); both paths are equal unless it is R. Modes are six octal
    digits, `000000` and the zero object name where a side has no file.
    """

    status: str
    old_path: bytes
    new_path: bytes
    old_mode: str
    new_mode: str
    old_sha: str
    new_sha: str
    similarity: int | None = None

    @property
    def path(self) -> str:
        """Name after the change, as text."""
        return display(self.new_path)

    @property
    def is_submodule(self) -> bool:
        """Whether either side is a submodule's commit."""
        return "160000" in {self.old_mode, self.new_mode}


@dataclass(frozen=True)
class FileChange(ChangedPath):
    """One changed file with its counts and the bytes of its own patch.

    `added` and `deleted` are None for binary files. `patch` holds this file only; `git apply` takes it.
    """

    added: int | None = None
    deleted: int | None = None
    binary: bool = False
    patch: bytes = field(default=b"", repr=False)


@dataclass(frozen=True)
class Diff:
    """Every file that differs between two commits, in git's order, and the whole patch.

    `renames_limited` means that git had too many candidates and looked for exact renames only.
    """

    base: str
    head: str
    files: tuple[FileChange, ...]
    patch: bytes = field(repr=False)
    renames_limited: bool = False


@dataclass(frozen=True)
class Commit:
    """One commit; `time` is the author's, in UTC; `patch` is empty for merges.

    Texts are decoded as UTF-8 after git's own re-encoding; bytes that do not fit become U+FFFD.
    """

    sha: str
    parents: tuple[str, ...]
    author: str
    email: str
    time: datetime
    subject: str
    body: str
    patch: bytes = field(default=b"", repr=False)


@dataclass(frozen=True)
class TouchedFile:
    """What a commit did to one file; both counts of lines are None for binary files."""

    path: bytes
    added: int | None
    deleted: int | None


@dataclass(frozen=True)
class Touch:
    """A commit of the past and which of the files that were asked about it touched; `time` is UTC."""

    sha: str
    author: str
    email: str
    time: datetime
    subject: str
    files: tuple[TouchedFile, ...]


@dataclass(frozen=True)
class WorktreeStatus:
    """Whether the work tree differs from HEAD and in which paths (untracked files included, ignored not)."""

    dirty: bool
    paths: tuple[bytes, ...]


@dataclass(frozen=True)
class TreeEntry:
    """One leaf of a tree: `kind` is `blob`, or `commit` for a submodule; `size` in bytes when asked for."""

    mode: str
    kind: str
    sha: str
    path: bytes
    size: int | None = None


@dataclass(frozen=True)
class ExportedTree:
    """What was written: how many files and links, how many bytes, and submodules left as empty folders."""

    destination: Path
    files: int
    size: int
    submodules: tuple[bytes, ...]


@dataclass(frozen=True)
class RepositoryIdentity:
    """Which repository this is: where its shared git directory lies and where its history starts.

    `key` (16 hexadecimal digits) is equal for a repository and its linked worktrees, and differs for another
    clone even in a folder of the same name. `root_commits` is empty for shallow and unborn repositories.
    """

    root_commits: tuple[str, ...]
    common_dir: Path
    key: str
