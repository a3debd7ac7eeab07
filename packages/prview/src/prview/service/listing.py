"""The runs of a repository."""

from __future__ import annotations

from typing import TYPE_CHECKING

from prview.domain.keys import branch_key, short
from prview.models.results import RunsResult, RunSummary
from prview.service.opening import open_repo
from prview.service.results import summary
from prview.service.targets import find_target
from prview.service.translation import translated_errors
from prview.store.index import read_index
from prview.store.runs import COMPLETED, StoredRun, list_runs

if TYPE_CHECKING:
    from collections.abc import Mapping

    from prview.models.records import IndexEntry
    from prview.models.requests import RunsRequest
    from prview.service.settings import Settings


async def list_all(settings: Settings, request: RunsRequest) -> RunsResult:
    """Runs of the checked-out branch, or of every branch, the newest first within a branch."""
    opened = await open_repo(settings, request.repo)
    known = {entry.run_id: entry for entry in read_index(opened.runs)}
    if request.everything:
        runs = [_summary(run, known) for branch in opened.runs.branches() for run in list_runs(branch)]
        return RunsResult(branch=None, runs=runs)
    with translated_errors():
        target = await find_target(opened.repository, None)
    branch = opened.runs.branch(branch_key(target.branch, target.commit))
    return RunsResult(branch=target.name, runs=[_summary(run, known) for run in list_runs(branch)])


def _summary(run: StoredRun, known: Mapping[str, IndexEntry]) -> RunSummary:
    """From the index when it knows the run as it is on disk; unfinished runs are never in it."""
    entry = known.get(run.run_id)
    if entry is None or run.status != COMPLETED:
        return summary(run)
    return RunSummary(
        run_id=entry.run_id,
        commit=short(entry.commit),
        status=COMPLETED,
        profile=entry.profile,
        base_used=list(entry.bases),
        merge_status=entry.verdict,
        generated_at=entry.generated_at,
    )
