"""Decides what is reviewed: local names, origin's branch, or a pull request. Refuses rather than guesses.

What has to come from outside (`--fetch`, a pull request that is not here) goes into a store of ours that
borrows the repository's objects; the repository itself is never written.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from oskit.git import UnknownRevisionError, fetch_beside
from oskit.github import HostedRepository, hosted
from prview.domain.change import Base
from prview.domain.pull_request import PullRequest
from prview.errors import RunFailedError
from prview.service.github import pull_request
from prview.service.reading import read_change
from prview.service.targets import (
    ORIGIN,
    Bases,
    Target,
    find_bases,
    find_remote_target,
    find_target,
    remote_branch,
)
from prview.service.translation import translated_errors

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from oskit.git import Repository
    from prview.domain.change import Change

_FETCHED = "refs/prview"


@dataclass(frozen=True)
class Asked:
    """What a caller wants reviewed.

    `remote`: origin's branch instead of the local one. `fetch`: ask origin first. `pull`: a pull request's
    number, which goes before `target`.
    """

    target: str | None = None
    bases: tuple[str, ...] = ()
    remote: bool = False
    fetch: bool = False
    pull: int | None = None


@dataclass(frozen=True)
class Found:
    """The two ends of a range, and the repository that holds their commits."""

    target: Target
    against: Bases
    objects: Repository
    pull: PullRequest | None = None


async def prepare(repository: Repository, *, target: str | None, bases: Sequence[str]) -> Change:
    """Find a local range and read it. Raises RunFailedError with the reason and the way out."""
    with translated_errors():
        found = await find_target(repository, target)
        return await read_change(repository, found, await find_bases(repository, bases))


async def prepare_asked(repository: Repository, asked: Asked, *, store: Path) -> tuple[Change, Repository]:
    """Find any range and read it; `store` is where commits from outside are kept.

    Returns the repository that holds the commits, too. Raises RunFailedError with the reason and the way out.
    """
    _refuse_contradictions(asked)
    with translated_errors():
        found = await _find(repository, asked, store)
        change = await read_change(repository, found.target, found.against, objects=found.objects)
    return replace(change, pull=found.pull), found.objects


def _refuse_contradictions(asked: Asked) -> None:
    if asked.pull is not None and (asked.remote or asked.target):
        raise RunFailedError(
            "a pull request names its own branch", hint="give --pr without TARGET and --remote"
        )


async def _find(repository: Repository, asked: Asked, store: Path) -> Found:
    if asked.pull is not None:
        return await _pull(repository, asked, asked.pull, store)
    if asked.fetch:
        return await _fetched(repository, asked, store)
    find = find_remote_target if asked.remote else find_target
    target = await find(repository, asked.target)
    return Found(target, await find_bases(repository, asked.bases, remote=asked.remote), repository)


async def _fetched(repository: Repository, asked: Asked, store: Path) -> Found:
    """Origin's branches as they are now: the target's (with `remote`) and those of bases that live there."""
    bases = await find_bases(repository, asked.bases, remote=True)
    wanted = [base.ref.removeprefix(ORIGIN) for base in bases.bases if base.ref.startswith(ORIGIN)]
    branch = await remote_branch(repository, asked.target) if asked.remote else None
    names = dict.fromkeys([*wanted, *([branch] if branch else [])])
    if not names:
        raise RunFailedError("there is nothing to fetch: neither target nor base is a branch of origin")
    refspecs = [f"+refs/heads/{name}:{_FETCHED}/origin/{name}" for name in names]
    objects = await fetch_beside(repository, store, await _origin(repository), refspecs)
    current = {name: await objects.resolve(f"{_FETCHED}/origin/{name}") for name in names}
    against = tuple(
        Base(base.ref, current.get(base.ref.removeprefix(ORIGIN), base.commit)) for base in bases.bases
    )
    target = (
        await _at_origin(repository, branch, current[branch])
        if branch
        else await find_target(repository, asked.target)
    )
    return Found(target, replace(bases, bases=against), objects)


async def _at_origin(repository: Repository, branch: str, commit: str) -> Target:
    here = (await repository.head()).commit if repository.worktree else None
    return Target(f"{ORIGIN}{branch}", f"{ORIGIN}{branch}", commit, checked_out=commit == here)


async def _pull(repository: Repository, asked: Asked, number: int, store: Path) -> Found:
    """The commits that GitHub names; what is not here is fetched beside."""
    pull = await pull_request(_hosted(await _origin(repository)), number)
    name = f"pull/{number}"
    objects = repository
    if not await _has(repository, pull.head, pull.base):
        refspecs = [
            f"+refs/pull/{number}/head:{_FETCHED}/{name}/head",
            f"+refs/heads/{pull.base_ref}:{_FETCHED}/{name}/base",
        ]
        objects = await fetch_beside(repository, store, await _origin(repository), refspecs)
    if not await _has(objects, pull.head):
        raise RunFailedError(
            f"the pull request {number} changed while it was fetched: {pull.head} is no longer its head",
            hint="try again",
        )
    base = pull.base if await _has(objects, pull.base) else await objects.resolve(f"{_FETCHED}/{name}/base")
    here = (await repository.head()).commit if repository.worktree else None
    return Found(
        target=Target(name, name, pull.head, checked_out=pull.head == here),
        against=await find_bases(repository, asked.bases)
        if asked.bases
        else Bases((Base(pull.base_ref, base),)),
        objects=objects,
        pull=pull,
    )


async def _has(repository: Repository, *commits: str) -> bool:
    try:
        for commit in commits:
            await repository.resolve(commit)
    except UnknownRevisionError:
        return False
    return True


async def _origin(repository: Repository) -> str:
    url = await repository.remote_url()
    if url is None:
        raise RunFailedError(
            "there is no remote called origin",
            hint="add it with `git remote add origin URL`, or review locally",
        )
    return url


def _hosted(url: str) -> HostedRepository:
    found = hosted(url)
    if found is None:
        raise RunFailedError(
            "the remote origin is no address of a GitHub repository, so it has no pull requests",
            hint="fetch the branch and review it by name",
        )
    return found
