"""Resolves a source to an exact change, read-only, for the repository that this process was given."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codevetter_verify.domain.change import MAX_COMMITS, MAX_FILES, Change, ChangedFile, RangeSpec
from codevetter_verify.domain.pull_request import PullSpec
from codevetter_verify.errors import NothingToVerifyError, SourceTooLargeError, SourceUnresolvedError
from codevetter_verify.service.pull import head_of_pull, resolve_pull
from oskit.git import GitError, display

if TYPE_CHECKING:
    from codevetter_verify.domain.pull_request import PullFacts
    from oskit.git import ChangedPath, Repository


async def resolve_source(
    repository: Repository, spec: RangeSpec | PullSpec
) -> tuple[Change, PullFacts | None]:
    """The change, and what GitHub says of it when it is a pull request; raises as the two below do."""
    if isinstance(spec, PullSpec):
        return await resolve_pull(repository, spec)
    return await resolve_range(repository, spec), None


async def resolve_range(repository: Repository, spec: RangeSpec) -> Change:
    """The change that `spec` means now: full commit ids, commits oldest first, changed paths in git's order.

    Raises `SourceUnresolvedError`, `NothingToVerifyError` and `SourceTooLargeError`.
    """
    try:
        return await _resolve(repository, spec)
    except GitError as exc:
        raise SourceUnresolvedError(f"{exc.message} ({exc.hint})") from exc


async def head_of(repository: Repository, spec: RangeSpec | PullSpec) -> str:
    """What the head of `spec` is now; raises `SourceUnresolvedError`."""
    if isinstance(spec, PullSpec):
        return await head_of_pull(spec)
    try:
        return await repository.resolve(spec.head)
    except GitError as exc:
        raise SourceUnresolvedError(f"{exc.message} ({exc.hint})") from exc


async def _resolve(repository: Repository, spec: RangeSpec) -> Change:
    base = await repository.resolve(spec.base)
    head = await repository.resolve(spec.head)
    count = await repository.count_commits(base, head)
    if count == 0:
        raise NothingToVerifyError(
            f"{spec.head} has no commit that {spec.base} has not: the range is empty or reversed; "
            "name the older end first, as in main..HEAD on the changed branch",
            Change(base, head),
        )
    if count > MAX_COMMITS:
        raise SourceTooLargeError(
            f"the range has {count} commits; at most {MAX_COMMITS} are verified in one run"
        )
    merge_base = await repository.merge_base(base, head) if spec.symmetric else None
    changed = await repository.changed_paths(merge_base or base, head)
    _check_size(changed)
    commits = tuple(commit.sha for commit in await repository.log(base, head, patches=False))
    if not commits or commits[-1] != head:
        raise SourceUnresolvedError("git's list of commits does not end at the head")
    if not changed:
        raise NothingToVerifyError("the range changes no path", Change(base, head, merge_base, commits))
    return Change(base, head, merge_base, commits, tuple(map(_file, changed)))


def _check_size(changed: tuple[ChangedPath, ...]) -> None:
    if len(changed) > MAX_FILES:
        raise SourceTooLargeError(
            f"the range changes {len(changed)} paths; at most {MAX_FILES} are verified in one run"
        )


def _file(changed: ChangedPath) -> ChangedFile:
    deleted = changed.status == "D"
    return ChangedFile(display(changed.old_path if deleted else changed.new_path), deleted=deleted)
