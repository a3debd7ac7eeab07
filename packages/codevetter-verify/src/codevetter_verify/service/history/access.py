"""What every answer about a repository's history rests on: the permission, the place, what is masked."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from codevetter_verify.domain.veil import Veil
from codevetter_verify.errors import InvalidInputError
from codevetter_verify.service.permit import check_place, current_enablement
from codevetter_verify.service.scope import repository_at
from mcpkit.canonical import plain
from oskit.git import GitError

if TYPE_CHECKING:
    from pydantic import BaseModel

    from codevetter_verify.domain.records import IndexedReceipt, Scope
    from codevetter_verify.store.reading import ReadingStore
    from oskit.git import Repository

A = TypeVar("A", bound="BaseModel")


@dataclass(frozen=True)
class Archive:
    """One repository's history, for a process that may only read it."""

    scope: Scope
    store: ReadingStore
    veil: Veil

    async def opened(self) -> Repository:
        """The repository, when reading it is still allowed.

        Raises `NotEnabledError`, `RevokedError`, `ScopeUnavailableError` and `StorageFailedError`.
        """
        await current_enablement(self.store, self.scope.repo_id, permission="history")
        await check_place(self.scope, permission="history")
        return await repository_at(self.scope.path)

    def veiled(self, answer: A) -> A:
        """The answer without what belongs to this machine."""
        return type(answer).model_validate(self.veil.value(plain(answer)))

    async def newest_by_head(self) -> dict[str, IndexedReceipt]:
        """The newest receipt of each head commit."""
        found = await self.store.index(repo_key=self.scope.key)
        return {row.head_sha: row for row in reversed(found) if row.head_sha is not None}


def veil_of(scope: Scope, home: Path) -> Veil:
    """What is masked for readers of this repository."""
    return Veil.over(
        (
            (scope.path, "<repository>"),
            (str(home), "<state>"),
            (str(Path.home()), "~"),
            (tempfile.gettempdir(), "<temporary>"),
        )
    )


async def current_head(repository: Repository) -> str | None:
    """What is checked out; None before the first commit and where git cannot say."""
    try:
        return (await repository.head()).commit
    except GitError:
        return None


def refused(error: GitError, *, field: str) -> InvalidInputError:
    """A revision that names nothing here, as the fault of the arguments that it is."""
    return InvalidInputError(f"{field}: {error.message}", hint=error.hint, field=field)
