"""Git, read-only: one process for a question, bytes for names, no effect of anybody's configuration.

    repository = await open_repository("/home/ada/project")
    base = await repository.merge_base("origin/main", "HEAD")
    change = await repository.diff(base, await repository.resolve("HEAD"))

Answers are computed from objects in a place where no configuration, attribute, hook or replacement of the
repository is visible; only refs, index and work tree are read through the repository itself, with everything
that could run a program or write switched off.
"""

import importlib
from typing import TYPE_CHECKING

from oskit.git.errors import (
    ExportError,
    FetchError,
    GitError,
    GitFailedError,
    GitMissingError,
    GitOutputTooLargeError,
    GitTimeoutError,
    MissingObjectError,
    NoMergeBaseError,
    NotARepositoryError,
    NoWorktreeError,
    UnexpectedOutputError,
    UnknownRevisionError,
    UnsafeRepositoryError,
)
from oskit.git.models import (
    LARGE,
    SMALL,
    ChangedPath,
    Commit,
    DefaultBranch,
    Diff,
    ExportedTree,
    FileChange,
    Head,
    Limits,
    RepositoryIdentity,
    Touch,
    TouchedFile,
    TreeEntry,
    WorktreeStatus,
    display,
)

if TYPE_CHECKING:
    from oskit.git._environment import git_program
    from oskit.git._export import MAX_EXPORT_BYTES
    from oskit.git._objects import BlobSpec
    from oskit.git.fetching import fetch_beside
    from oskit.git.opening import open_repository
    from oskit.git.repository import Repository

__all__ = [
    "LARGE",
    "MAX_EXPORT_BYTES",
    "SMALL",
    "BlobSpec",
    "ChangedPath",
    "Commit",
    "DefaultBranch",
    "Diff",
    "ExportError",
    "ExportedTree",
    "FetchError",
    "FileChange",
    "GitError",
    "GitFailedError",
    "GitMissingError",
    "GitOutputTooLargeError",
    "GitTimeoutError",
    "Head",
    "Limits",
    "MissingObjectError",
    "NoMergeBaseError",
    "NoWorktreeError",
    "NotARepositoryError",
    "Repository",
    "RepositoryIdentity",
    "Touch",
    "TouchedFile",
    "TreeEntry",
    "UnexpectedOutputError",
    "UnknownRevisionError",
    "UnsafeRepositoryError",
    "WorktreeStatus",
    "display",
    "fetch_beside",
    "git_program",
    "open_repository",
]

_HOMES = {
    "MAX_EXPORT_BYTES": "_export",
    "BlobSpec": "_objects",
    "Repository": "repository",
    "fetch_beside": "fetching",
    "git_program": "_environment",
    "open_repository": "opening",
}


def __getattr__(name: str) -> object:
    """Import what runs git when it is asked for: errors and models are needed without an event loop."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(importlib.import_module(f"{__name__}.{_HOMES[name]}"), name)
    globals()[name] = value
    return value
