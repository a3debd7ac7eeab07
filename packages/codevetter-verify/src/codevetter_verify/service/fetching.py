"""Brings the head of a pull request beside the clone, which stays as it is, when a person asks for it."""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from codevetter_verify.browser.folder import private_folder
from oskit.files import StorageError
from oskit.git import GitError, fetch_beside

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from codevetter_verify.domain.pull_request import PullSpec
    from oskit.git import Repository

_HEAD = "refs/codevetter/head"


@asynccontextmanager
async def head_beside(
    repository: Repository, spec: PullSpec, head: str
) -> AsyncIterator[tuple[Repository, str | None]]:
    """What to read `head` from within this block, and why it is not in there when it could not be fetched.

    What is fetched lies in a temporary folder that borrows the clone's objects, and goes with the block.
    """
    if await _has(repository, head):
        yield repository, None
        return
    with private_folder() as folder:
        fetched, why = await _fetched(repository, spec, folder)
        yield fetched, why


async def _fetched(repository: Repository, spec: PullSpec, folder: Path) -> tuple[Repository, str | None]:
    wanted = f"+refs/pull/{spec.number}/head:{_HEAD}"
    try:
        url = await repository.remote_url() or ""
        return await fetch_beside(repository, folder / "objects.git", url, [wanted]), None
    except (GitError, StorageError) as exc:
        return repository, f"the head of the pull request could not be fetched: {exc.message}"


async def _has(repository: Repository, commit: str) -> bool:
    try:
        await repository.resolve(commit)
    except GitError:
        return False
    return True
