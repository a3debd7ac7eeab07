"""Removing old runs on request."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from anyio import to_thread

from mcpkit.errors import InvalidArgumentsError
from prview.domain.keys import branch_key
from prview.models.results import PruneResult
from prview.service.opening import open_repo
from prview.service.results import summary
from prview.service.targets import find_target
from prview.service.translation import translated_errors
from prview.store.index import read_index
from prview.store.pruning import removable, remove, size_of, sweep_removed

if TYPE_CHECKING:
    from prview.models.requests import PruneRequest
    from prview.service.opening import Opened
    from prview.service.settings import Settings
    from prview.store.home import BranchRuns


async def prune(settings: Settings, request: PruneRequest) -> PruneResult:
    """Remove what retention lets go. Raises InvalidArgumentsError when no rule is given."""
    if request.keep is None and request.older_than_days is None:
        raise InvalidArgumentsError(
            "nothing says which runs may go", hint="give --keep N, --older-than DAYS, or both"
        )
    opened = await open_repo(settings, request.repo)
    branches = await _branches(opened, everything=request.everything)
    with translated_errors():
        return await to_thread.run_sync(_prune, opened, branches, request)


async def _branches(opened: Opened, *, everything: bool) -> tuple[BranchRuns, ...]:
    if everything:
        return opened.runs.branches()
    with translated_errors():
        target = await find_target(opened.repository, None)
    return (opened.runs.branch(branch_key(target.branch, target.commit)),)


def _prune(opened: Opened, branches: tuple[BranchRuns, ...], request: PruneRequest) -> PruneResult:
    age = None if request.older_than_days is None else timedelta(days=request.older_than_days)
    removed, freed = [], 0
    for branch in branches:
        for run in removable(branch, keep=request.keep, older_than=age):
            told, size = summary(run), size_of(run.folder)
            if request.dry_run or remove(branch, run):
                removed.append(told)
                freed += size
        if not request.dry_run:
            sweep_removed(branch)
    if removed and not request.dry_run:
        read_index(opened.runs)  # so that the cache forgets them, too
    return PruneResult(removed=removed, freed_bytes=freed, dry_run=request.dry_run)
