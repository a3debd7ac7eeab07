"""Opens the one repository that a run is about."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codevetter_verify.domain.records import Scope
from codevetter_verify.errors import ScopeUnavailableError
from oskit.git import GitError, Repository, open_repository

if TYPE_CHECKING:
    from pathlib import Path


async def open_scope(path: str | Path) -> Scope:
    """The scope of the repository that `path` lies in; raises `ScopeUnavailableError`."""
    repository = await repository_at(path)
    try:
        identity = await repository.identity()
    except GitError as exc:
        raise ScopeUnavailableError(exc.message, hint=exc.hint) from exc
    return Scope(identity.key, str(repository.worktree or repository.git_dir))


async def repository_at(path: str | Path) -> Repository:
    """Open the repository; raises `ScopeUnavailableError`."""
    try:
        return await open_repository(path)
    except GitError as exc:
        raise ScopeUnavailableError(exc.message, hint=exc.hint) from exc
