"""What is reviewed and what it is compared with, by the names people give. Refuses rather than guesses."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from oskit.git import UnknownRevisionError
from prview.domain.change import Base
from prview.errors import RunFailedError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from oskit.git import Head, Repository

ORIGIN = "origin/"


@dataclass(frozen=True)
class Target:
    """What is reviewed. `branch` is None for a commit without a name; runs are kept under it."""

    name: str
    branch: str | None
    commit: str
    checked_out: bool


@dataclass(frozen=True)
class Bases:
    """What it is compared with, and how that was found."""

    bases: tuple[Base, ...]
    fallback: bool = False
    caveats: tuple[str, ...] = ()


async def find_target(repository: Repository, name: str | None) -> Target:
    """Resolve a branch, a remote branch, another revision, or what is checked out."""
    head = await repository.head()
    if name is None or name in {"HEAD", head.branch}:
        return _checked_out(repository, head)
    here = head.commit if repository.worktree else None
    for branch in (f"refs/heads/{name}", f"refs/remotes/{name}", f"refs/remotes/origin/{name}"):
        commit = await _resolve_or_none(repository, branch)
        if commit:
            return Target(name, name, commit, checked_out=commit == here)
    commit = await repository.resolve(name)
    return Target(name, None, commit, checked_out=commit == here)


async def find_remote_target(repository: Repository, name: str | None) -> Target:
    """Resolve origin's branch as it was last fetched: the one named, else that of the checked-out branch."""
    branch = await remote_branch(repository, name)
    commit = await _resolve_or_none(repository, f"refs/remotes/origin/{branch}")
    if commit is None and await repository.remote_url() is None:
        raise RunFailedError(
            "there is no remote called origin",
            hint="add it with `git remote add origin URL`, or review locally without --remote",
        )
    if commit is None:
        raise RunFailedError(
            f"origin/{branch} is not known here: the branch was never fetched, or origin does not have it",
            hint="add --fetch, or run `git fetch origin` first",
        )
    here = (await repository.head()).commit if repository.worktree else None
    return Target(f"origin/{branch}", f"origin/{branch}", commit, checked_out=commit == here)


async def remote_branch(repository: Repository, name: str | None) -> str:
    """The name at origin. Raises RunFailedError when nothing is named and nothing is checked out."""
    branch = name or (await repository.head()).branch
    if branch is None:
        raise RunFailedError(
            "HEAD is detached, so there is no branch to look for at origin",
            hint="name it: prview --remote BRANCH",
        )
    return branch.removeprefix(ORIGIN)


async def find_bases(repository: Repository, names: Sequence[str], *, remote: bool = False) -> Bases:
    """Resolve the bases given, or find the repository's own. Raises RunFailedError when there is none.

    `remote` prefers origin's branch of a name to the local one.
    """
    if names:
        return Bases(tuple([await _base(repository, name, remote=remote) for name in names]))
    default = await repository.default_branch()
    if default is None:
        raise RunFailedError(
            "no base to compare with: there is no origin/HEAD and no branch develop, main or master",
            hint="name the base, for example: prview TARGET BASE, or the argument `base`",
        )
    return Bases((Base(default.name, default.commit),), default.fallback, default.caveats)


def _checked_out(repository: Repository, head: Head) -> Target:
    if head.commit is None:
        raise RunFailedError(
            f"{repository.worktree or repository.git_dir} has no commits yet on {head.branch or 'HEAD'}",
            hint="commit something, then review it",
        )
    return Target(
        head.branch or "HEAD", head.branch, head.commit, checked_out=repository.worktree is not None
    )


async def _resolve_or_none(repository: Repository, name: str) -> str | None:
    try:
        return await repository.resolve(name)
    except UnknownRevisionError:
        return None


async def _base(repository: Repository, name: str, *, remote: bool) -> Base:
    """A base that is only known at the remote counts, too: a fresh clone has no local `main`."""
    here, there = (name, name), (f"{ORIGIN}{name}", f"refs/remotes/origin/{name}")
    for ref, spelling in (there, here) if remote else (here, there):
        commit = await _resolve_or_none(repository, spelling)
        if commit:
            return Base(ref if remote else name, commit)
    raise RunFailedError(
        f"the base {name!r} names no commit of this repository",
        hint="see `git branch --all`; a base that is only at the remote must be fetched first",
    )
