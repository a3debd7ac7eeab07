"""Reads a range once it is decided: diff, commits, working tree."""

from __future__ import annotations

from typing import TYPE_CHECKING

from oskit.clock import rfc3339
from oskit.git import GitOutputTooLargeError, display
from prview.domain.change import Change, ChangedFile, Commit
from prview.domain.keys import short
from prview.errors import RunFailedError
from prview.render.patches import MAX_COMMITS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from oskit.git import Commit as GitCommit
    from oskit.git import FileChange, Repository
    from prview.domain.change import Base
    from prview.service.targets import Bases, Target


async def common_base(repository: Repository, target: Target, bases: Sequence[Base]) -> str:
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


async def read_change(
    checkout: Repository, target: Target, against: Bases, *, objects: Repository | None = None
) -> Change:
    """Read what `target` adds. `objects` has the commits when `checkout`, whose files lie here, has not."""
    repository = objects or checkout
    merge_base = await common_base(repository, target, against.bases)
    diff = await repository.diff(merge_base, target.commit)
    commits, unread = await _commits(repository, merge_base, target.commit)
    dirty, tree, caveats = await _working_tree(checkout, target)
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
