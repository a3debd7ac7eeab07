"""Turns what git, the disk and the process table raise into the ten classes of the contract."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from oskit.files import StorageError
from oskit.git import GitError, GitMissingError, NotARepositoryError, UnsafeRepositoryError
from oskit.process import ProcessError
from prview.errors import NotAGitRepoError, PrviewError, RunFailedError, ToolMissingError

if TYPE_CHECKING:
    from collections.abc import Iterator

_GIT_CLASSES: dict[type[GitError], type[PrviewError]] = {
    GitMissingError: ToolMissingError,
    NotARepositoryError: NotAGitRepoError,
    UnsafeRepositoryError: NotAGitRepoError,
}


@contextmanager
def translated_errors() -> Iterator[None]:
    """Run a block whose failures below become errors of ours; every other exception passes."""
    try:
        yield
    except GitError as exc:
        known = next(
            (ours for theirs, ours in _GIT_CLASSES.items() if isinstance(exc, theirs)), RunFailedError
        )
        raise known(exc.message, hint=exc.hint) from exc
    except (StorageError, ProcessError) as exc:
        raise RunFailedError(exc.message, hint=exc.hint) from exc
