"""From what is stored to what is answered."""

from __future__ import annotations

import json
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from oskit.clock import now
from oskit.files import StorageError, read_bounded
from prview.domain.gate import SARIF_PATH
from prview.domain.keys import short
from prview.domain.stored import StoredDecision, read_decision
from prview.errors import StorageCorruptError
from prview.models.results import ArtifactPaths, Gate, RunReviewResult, RunSummary, Stats
from prview.store.documents import MAX_DOCUMENT
from prview.store.paths import GATE, REPORT
from prview.store.runs import COMPLETED, IN_PROGRESS, StoredRun

if TYPE_CHECKING:
    from collections.abc import Mapping

    from prview.models.records import Running

_AGAIN = "run the review again"


def read_gate(run: StoredRun) -> Mapping[str, object]:
    """Return the stored gate as it is. Raises StorageCorruptError when it is missing or no JSON object."""
    try:
        document = json.loads(read_bounded(run.folder / GATE, MAX_DOCUMENT))
    except StorageError as exc:
        raise StorageCorruptError(
            f"{GATE} of {run.run_id}: {exc.message}", hint=_AGAIN, run_id=run.run_id
        ) from exc
    except (ValueError, RecursionError) as exc:
        message = f"{GATE} of {run.run_id} is not JSON: {exc}"
        raise StorageCorruptError(message, hint=_AGAIN, run_id=run.run_id) from exc
    if not isinstance(document, dict):
        raise StorageCorruptError(f"{GATE} of {run.run_id} is no object", hint=_AGAIN, run_id=run.run_id)
    return document


def gates(document: Mapping[str, object]) -> list[Gate]:
    """The checks of a stored gate; entries without an id and a status are passed over."""
    checks = document.get("checks")
    listed = [check for check in checks if isinstance(check, dict)] if isinstance(checks, list) else []
    return [
        Gate(
            id=check["id"],
            status=check["status"],
            reason=_text(check.get("reason")),
            evidence=_text(check.get("evidence")),
        )
        for check in listed
        if isinstance(check.get("id"), str) and isinstance(check.get("status"), str)
    ]


def is_trusted(result: RunReviewResult) -> bool:
    """Whether every check that counts was evaluated: nothing ended in an error or ran out of time.

    A check that the policy ignores does not count, and a signal that fails only lowers the confidence.
    """
    if result.artifact_paths is None:
        return False
    run = StoredRun(run_id=result.run_id, folder=Path(result.artifact_paths.pack))
    decision = read_gate(run).get("decision")
    return isinstance(decision, dict) and decision.get("analysis_status") in {"complete", "degraded"}


def completed_review(run: StoredRun, *, asked_at: datetime | None = None) -> RunReviewResult:
    """The answer to a review that is done; one from before `asked_at` says so. Raises StorageCorruptError."""
    document = read_gate(run)
    decision = read_decision(document)
    checks = gates(document)
    return RunReviewResult(
        run_id=run.run_id,
        status="completed",
        commit=short(run.commit),
        base_used=run.base_used,
        base_fallback=run.record.base_fallback if run.record else False,
        verdict=decision.ruling.verdict.value,
        merge_recommendation=decision.recommendation.value,
        allow_merge=decision.ruling.allow_merge,
        blocking_issues=list(decision.blocking_issues),
        caveats=[*_kept(run, asked_at), *decision.caveats],
        gates=checks,
        artifact_paths=_artifacts(run),
        stats=Stats(
            checks_passed=sum(check.status == "PASS" for check in checks),
            checks_failed=sum(check.status == "FAIL" for check in checks),
            files_changed=run.record.files_changed if run.record else 0,
        ),
    )


def _kept(run: StoredRun, asked_at: datetime | None) -> list[str]:
    record = run.record
    if asked_at is None or record is None or datetime.fromisoformat(record.generated_at) >= asked_at:
        return []
    return [f"kept the review of {record.generated_at}: what it looked at is the same"]


def summary(run: StoredRun) -> RunSummary:
    """The run as an index entry. A gate that cannot be read has no verdict here; `verdict` says why."""
    return RunSummary(
        run_id=run.run_id,
        commit=short(run.commit),
        status=run.status,
        profile=known.profile if (known := run.record or run.running) else None,
        base_used=run.base_used,
        merge_status=decision.ruling.verdict.value if (decision := _decision_or_none(run)) else None,
        generated_at=run.record.generated_at if run.record else None,
        started_at=run.running.started_at if run.running and run.status == IN_PROGRESS else None,
        elapsed_s=elapsed_s(run.running) if run.running and run.status == IN_PROGRESS else None,
    )


def elapsed_s(running: Running) -> float:
    """Seconds since the run started, by the clock; never negative."""
    started = datetime.fromisoformat(running.started_at)
    return round(max((now() - started).total_seconds(), 0.0), 3)


def _decision_or_none(run: StoredRun) -> StoredDecision | None:
    if run.status != COMPLETED:
        return None
    try:
        return read_decision(read_gate(run))
    except StorageCorruptError:
        return None


def _artifacts(run: StoredRun) -> ArtifactPaths:
    return ArtifactPaths(
        pack=str(run.folder),
        merge_gate=GATE,
        sarif=SARIF_PATH if (run.folder / SARIF_PATH).is_file() else None,
        report=REPORT if (run.folder / REPORT).is_file() else None,
    )


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None
