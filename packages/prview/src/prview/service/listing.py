"""The runs of a repository."""

from __future__ import annotations

from typing import TYPE_CHECKING

from prview.domain.keys import branch_key
from prview.models.results import RunsResult
from prview.service.opening import open_repo
from prview.service.preparing import find_target
from prview.service.results import summary
from prview.service.translation import translated_errors
from prview.store.runs import list_runs

if TYPE_CHECKING:
    from prview.models.requests import RunsRequest
    from prview.service.settings import Settings


async def list_all(settings: Settings, request: RunsRequest) -> RunsResult:
    """Runs of the checked-out branch, or of every branch, the newest first within a branch."""
    opened = await open_repo(settings, request.repo)
    if request.everything:
        runs = [summary(run) for branch in opened.runs.branches() for run in list_runs(branch)]
        return RunsResult(branch=None, runs=runs)
    with translated_errors():
        target = await find_target(opened.repository, None)
    branch = opened.runs.branch(branch_key(target.branch, target.commit))
    return RunsResult(branch=target.name, runs=[summary(run) for run in list_runs(branch)])
