"""The decision of one run, or how alive the run is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from prview.domain.keys import branch_key, short
from prview.domain.stored import read_decision
from prview.errors import RETRY_AFTER_MS, RunNotFoundError
from prview.models.results import VerdictResult
from prview.service.opening import Opened, open_repo
from prview.service.results import elapsed_s, gates, read_gate
from prview.service.targets import find_target
from prview.service.translation import translated_errors
from prview.store.runs import COMPLETED, IN_PROGRESS, STALE, StoredRun, find_run, latest_for

if TYPE_CHECKING:
    from prview.models.requests import VerdictRequest
    from prview.service.settings import Settings


async def verdict(settings: Settings, request: VerdictRequest) -> VerdictResult:
    """Answer `verdict`."""
    opened = await open_repo(settings, request.repo)
    run = await chosen_run(opened, request.run_id)
    if run.status == COMPLETED:
        return _completed(run)
    if run.status == IN_PROGRESS and run.running:
        return VerdictResult(
            run_id=run.run_id,
            commit=short(run.commit),
            status="in_progress",
            base_used=run.base_used,
            run_status="running",
            started_at=run.running.started_at,
            elapsed_s=elapsed_s(run.running),
            retry_after_ms=RETRY_AFTER_MS,
        )
    return VerdictResult(
        run_id=run.run_id,
        commit=short(run.commit),
        status="stale" if run.status == STALE else "failed",
        base_used=run.base_used if run.status == STALE else [],
        caveats=[run.failure.message] if run.failure else None,
        started_at=run.running.started_at if run.running and run.status == STALE else None,
    )


async def chosen_run(opened: Opened, run_id: str | None) -> StoredRun:
    """Return the run of an id, or the newest for HEAD. Raises RunNotFoundError, StorageCorruptError."""
    if run_id is not None:
        found = find_run(opened.runs, run_id)
        if found is None:
            raise RunNotFoundError(
                f"no run {run_id!r} of this repository",
                hint="review it first: `prview`, or run_review for an agent",
                run_id=run_id,
            )
        return found
    with translated_errors():
        target = await find_target(opened.repository, None)
    run = latest_for(opened.runs.branch(branch_key(target.branch, target.commit)), target.commit)
    if run is None:
        raise RunNotFoundError(
            f"no run for HEAD ({target.name} at {short(target.commit)})",
            hint="review it first: `prview`, or run_review for an agent",
        )
    return run


def _completed(run: StoredRun) -> VerdictResult:
    document = read_gate(run)
    decision = read_decision(document)
    stamp = document.get("generated_at")
    return VerdictResult(
        run_id=run.run_id,
        commit=short(run.commit),
        status="completed",
        base_used=run.base_used,
        merge_recommendation=decision.recommendation.value,
        allow_merge=decision.ruling.allow_merge,
        verdict=decision.ruling.verdict.value,
        blocking_issues=list(decision.blocking_issues),
        caveats=list(decision.caveats),
        gates=gates(document),
        generated_at=stamp if isinstance(stamp, str) else None,
    )
