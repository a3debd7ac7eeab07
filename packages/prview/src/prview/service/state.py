"""A cheap look at a repository: where HEAD is, what it would be compared with, what is known about it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from oskit.git import NoMergeBaseError
from prview.domain.keys import branch_key, short
from prview.models.results import RunSummary, StateResult
from prview.service.opening import open_repo
from prview.service.results import summary
from prview.service.targets import find_target
from prview.service.translation import translated_errors
from prview.store.runs import latest_for, list_runs

if TYPE_CHECKING:
    from oskit.git import DefaultBranch, Repository
    from prview.models.requests import StateRequest
    from prview.service.settings import Settings
    from prview.store.runs import StoredRun

_NO_BASE = "no base was found: there is no origin/HEAD and no branch develop, main or master"


async def state(settings: Settings, request: StateRequest) -> StateResult:
    """Answer `state`."""
    opened = await open_repo(settings, request.repo)
    with translated_errors():
        target = await find_target(opened.repository, None)
        default = await opened.repository.default_branch()
        caveats = list(default.caveats) if default else [_NO_BASE]
        changed = await _files_changed(opened.repository, target.commit, default, caveats)
        dirty = opened.repository.worktree is not None and (await opened.repository.status()).dirty
    branch = opened.runs.branch(branch_key(target.branch, target.commit))
    for_head = latest_for(branch, target.commit)
    newest = next(iter(list_runs(branch)), None)
    return StateResult(
        branch=target.branch,
        commit=short(target.commit),
        default_branch=default.name if default else None,
        base_fallback=default.fallback if default else False,
        base_caveats=caveats,
        dirty=dirty,
        files_changed=changed,
        latest_run_for_head=_index_entry(for_head),
        latest_run_any=_index_entry(newest),
    )


def _index_entry(run: StoredRun | None) -> RunSummary | None:
    """The run without its profile, which the contract has as null here."""
    return summary(run).model_copy(update={"profile": None}) if run else None


async def _files_changed(
    repository: Repository, head: str, default: DefaultBranch | None, caveats: list[str]
) -> int | None:
    """Count, or say why there is nothing to count against."""
    if default is None:
        return None
    try:
        base = await repository.merge_base(head, default.commit)
    except NoMergeBaseError as exc:
        caveats.append(exc.message)
        return None
    return await repository.count_files_changed(base, head)
