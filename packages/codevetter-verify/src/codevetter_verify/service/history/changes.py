"""What a range changes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from codevetter_verify.domain.change import parse_range
from codevetter_verify.errors import InvalidInputError
from codevetter_verify.models.history import ChangedPath, ChangePathsResult
from codevetter_verify.service.history.access import refused
from mcpkit.paging import Binding, list_page
from oskit.clock import now, rfc3339
from oskit.git import SMALL, GitError, display

if TYPE_CHECKING:
    from codevetter_verify.domain.change import RangeSpec
    from codevetter_verify.models.history import ChangePathsRequest
    from codevetter_verify.service.history.access import Archive
    from oskit.git import ChangedPath as GitChange
    from oskit.git import Repository

Status = Literal["added", "modified", "deleted", "renamed", "type_changed"]
_STATUS: dict[str, Status] = {
    "A": "added",
    "M": "modified",
    "D": "deleted",
    "R": "renamed",
    "T": "type_changed",
}
_LIMITS = (
    "paths only, of committed content: nothing of the work tree or the index, no line of any file",
    "`verdict` is of the newest receipt with this head, whatever its base and preview were: read it",
)


async def change_paths(request: ChangePathsRequest, *, archive: Archive) -> ChangePathsResult:
    """A page of the changed paths, in git's order."""
    spec = _spec(request.range)
    repository = await archive.opened()
    try:
        base, head, merge_base, count, changed = await _resolved(repository, spec)
    except GitError as exc:
        raise refused(exc, field="range") from exc
    receipt = (await archive.newest_by_head()).get(head)
    page = list_page(
        [_path(change) for change in changed],
        binding=Binding("change_paths", {"range": request.range, "repo": archive.scope.repo_id}, base + head),
        cursor=request.cursor,
        limit=request.limit,
    )
    answer = ChangePathsResult(
        as_of=rfc3339(now()),
        limits=_LIMITS,
        base_sha=base,
        head_sha=head,
        merge_base_sha=merge_base,
        commit_count=count,
        paths=page.items,
        total=page.total,
        run_id=receipt.run_id if receipt else None,
        verdict=receipt.verdict if receipt else None,
        next_cursor=page.next_cursor,
    )
    return archive.veiled(answer)


def _spec(text: str) -> RangeSpec:
    try:
        return parse_range(text)
    except InvalidInputError as exc:
        rule = "the range must be one A..B or A...B without white space, both ends named"
        raise InvalidInputError(rule, hint="for example main..HEAD", field="range") from exc


async def _resolved(
    repository: Repository, spec: RangeSpec
) -> tuple[str, str, str | None, int, tuple[GitChange, ...]]:
    base, head = await repository.resolve(spec.base), await repository.resolve(spec.head)
    merge_base = await repository.merge_base(base, head) if spec.symmetric else None
    count = await repository.count_commits(base, head, limits=SMALL)
    return (
        base,
        head,
        merge_base,
        count,
        await repository.changed_paths(merge_base or base, head, limits=SMALL),
    )


def _path(change: GitChange) -> ChangedPath:
    old, new = display(change.old_path), display(change.new_path)
    status = _STATUS[change.status]
    return ChangedPath(
        path=old if status == "deleted" else new, status=status, old_path=old if status == "renamed" else None
    )
