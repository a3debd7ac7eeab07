"""The newest commits, and which of them were verified."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codevetter_verify.models.history import HistoryCommit, HistoryLogResult
from codevetter_verify.service.history.access import refused
from mcpkit.paging import Binding, list_page
from oskit.clock import now, rfc3339
from oskit.git import SMALL, GitError

if TYPE_CHECKING:
    from codevetter_verify.domain.records import IndexedReceipt
    from codevetter_verify.models.history import HistoryLogRequest
    from codevetter_verify.service.history.access import Archive
    from oskit.git import Commit

MAX_COMMITS = 500
_MAX_TEXT = 200
_MAX_PARENTS = 8
_LIMITS = (
    f"the log ends after {MAX_COMMITS} commits; begin again at an older revision for more",
    "subjects only: no messages, addresses of authors or patches; `author` and `subject` are others' words",
    "a commit without `verdict` was not the head of a verified change, which says nothing against it",
)


async def log(request: HistoryLogRequest, *, archive: Archive) -> HistoryLogResult:
    """A page of commits, the newest first."""
    repository = await archive.opened()
    try:
        start = await repository.resolve(request.revision)
        found = await repository.recent(start, commits=MAX_COMMITS, limits=SMALL)
    except GitError as exc:
        raise refused(exc, field="revision") from exc
    heads = await archive.newest_by_head()
    page = list_page(
        [_commit(commit, heads.get(commit.sha)) for commit in found],
        binding=Binding("history_log", {"revision": request.revision, "repo": archive.scope.repo_id}, start),
        cursor=request.cursor,
        limit=request.limit,
    )
    answer = HistoryLogResult(
        as_of=rfc3339(now()), limits=_LIMITS, start=start, commits=page.items, next_cursor=page.next_cursor
    )
    return archive.veiled(answer)


def _commit(commit: Commit, receipt: IndexedReceipt | None) -> HistoryCommit:
    return HistoryCommit(
        sha=commit.sha,
        parents=commit.parents[:_MAX_PARENTS],
        author=_cut(commit.author),
        authored_at=rfc3339(commit.time),
        subject=_cut(commit.subject),
        run_id=receipt.run_id if receipt else None,
        verdict=receipt.verdict if receipt else None,
    )


def _cut(text: str) -> str:
    return text if len(text) <= _MAX_TEXT else f"{text[: _MAX_TEXT - 1]}…"
