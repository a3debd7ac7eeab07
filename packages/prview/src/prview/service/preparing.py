"""Decides what is reviewed: target, bases, merge base, diff. Refuses rather than guesses."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from oskit.clock import rfc3339
from oskit.git import GitOutputTooLargeError, UnknownRevisionError, display
from prview.domain.change import Base, Change, ChangedFile, Commit
from prview.domain.keys import short
from prview.errors import RunFailedError
from prview.render.patches import MAX_COMMITS
from prview.service.translation import translated_errors

if TYPE_CHECKING:
    from collections.abc import Sequence

    from oskit.git import Commit as GitCommit
    from oskit.git import FileChange, Head, Repository


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


async def prepare(repository: Repository, *, target: str | None, bases: Sequence[str]) -> Change:
    """Find the range and read it. Raises RunFailedError with the reason and the way out."""
    with translated_errors():
        found = await find_target(repository, target)
        against = await find_bases(repository, bases)
        merge_base = await _merge_base(repository, found, against.bases)
        return await _read(repository, found, against, merge_base)


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


async def find_bases(repository: Repository, names: Sequence[str]) -> Bases:
    """Resolve the bases given, or find the repository's own. Raises RunFailedError when there is none."""
    if names:
        return Bases(tuple([Base(name, await _base_commit(repository, name)) for name in names]))
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


async def _base_commit(repository: Repository, name: str) -> str:
    """A base that is only known at the remote counts, too: a fresh clone has no local `main`."""
    for spelling in (name, f"refs/remotes/origin/{name}"):
        commit = await _resolve_or_none(repository, spelling)
        if commit:
            return commit
    raise RunFailedError(
        f"the base {name!r} names no commit of this repository",
        hint="see `git branch --all`; a base that is only at the remote must be fetched first",
    )


async def _merge_base(repository: Repository, target: Target, bases: Sequence[Base]) -> str:
    """The commit the diff starts from. Several bases must have their merge bases on one line of history."""
    found = [await repository.merge_base(target.commit, base.commit) for base in bases]
    nearest = found[0]
    for other in found[1:]:
        common = await repository.merge_base(nearest, other)
        if common not in {nearest, other}:
            names = ", ".join(base.ref for base in bases)
            raise RunFailedError(
                f"{target.name} left {names} at commits that do not follow each other: no one diff is true",
                hint="review against one base at a time",
            )
        nearest = other if common == nearest else nearest
    return nearest


async def _read(repository: Repository, target: Target, against: Bases, merge_base: str) -> Change:
    diff = await repository.diff(merge_base, target.commit)
    commits, unread = await _commits(repository, merge_base, target.commit)
    dirty, tree, caveats = await _working_tree(repository, target)
    renames = ("too many files were renamed to follow them all",) if diff.renames_limited else ()
    return Change(
        target=target.name,
        branch=target.branch,
        head=target.commit,
        bases=against.bases,
        merge_base=merge_base,
        files=tuple(_file(file) for file in diff.files),
        commits=tuple(_commit(commit) for commit in commits),
        patch=diff.patch,
        base_fallback=against.fallback,
        dirty=dirty,
        dirty_tree=tree,
        checked_out=target.checked_out,
        caveats=(*against.caveats, *caveats, *renames, *unread),
    )


async def _commits(
    repository: Repository, base: str, head: str
) -> tuple[tuple[GitCommit, ...], tuple[str, ...]]:
    """The commits, with their patches as long as those are few enough to be read; and what is missing."""
    count = await repository.count_commits(base, head)
    try:
        return await repository.log(base, head, patches=count <= MAX_COMMITS), ()
    except GitOutputTooLargeError as exc:
        without = await repository.log(base, head, patches=False)
        return without, (f"the patches by commit are left out: {exc.message}",)


async def _working_tree(repository: Repository, target: Target) -> tuple[bool, str | None, tuple[str, ...]]:
    """What is not committed is not reviewed; it is named, so that nobody takes the verdict for it."""
    if repository.worktree is None or not target.checked_out:
        return False, None, ()
    status = await repository.status()
    if not status.dirty:
        return False, None, ()
    count = len(status.paths)
    caveat = (
        f"{count} uncommitted path{'' if count == 1 else 's'} in the working tree "
        f"{'is' if count == 1 else 'are'} not part of this review of commit {short(target.commit)}"
    )
    return True, await repository.dirty_tree(), (caveat,)


def _file(file: FileChange) -> ChangedFile:
    moved = file.old_path != file.new_path
    return ChangedFile(
        path=file.path,
        status=file.status,
        old_path=display(file.old_path) if moved else None,
        old_mode=file.old_mode,
        new_mode=file.new_mode,
        added=file.added,
        deleted=file.deleted,
        binary=file.binary,
        patch=file.patch,
    )


def _commit(commit: GitCommit) -> Commit:
    return Commit(commit.sha, commit.author, commit.email, rfc3339(commit.time), commit.subject, commit.patch)
