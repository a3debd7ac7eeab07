"""The receipt of a run whose process was killed: made by whoever finds it, from what the run left noted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codevetter_verify.domain.verdict import RunCause
from codevetter_verify.models import ReceiptPreview, ReceiptSource, TrexPreviewReceipt
from oskit.clock import rfc3339

if TYPE_CHECKING:
    from codevetter_verify.domain.records import ActiveRun

_LIMITS = (
    "nothing was verified: what the run had seen was lost with its process",
    "duration_ms is the time until the run was last heard of",
)


def interrupted_receipt(run: ActiveRun) -> TrexPreviewReceipt | None:
    """What is known of it; None for a run of an older version, which did not note what it was about."""
    if run.source_kind is None or run.source_input is None or run.preview is None:
        return None
    seen_at = run.seen_at or run.started_at
    stage = run.stage or "beginning"
    return TrexPreviewReceipt(
        run_id=run.run_id,
        repo_path=run.repo_path or "",
        source=ReceiptSource(kind=run.source_kind, input=run.source_input),
        preview=ReceiptPreview(
            status="unavailable",
            requested_url=run.preview,
            evidence="not known: the run was interrupted before it could say",
        ),
        verdict="no_confidence",
        summary=f"no confidence: the run's process ended while it was {stage}",
        limitations=_LIMITS,
        duration_ms=round((seen_at - run.started_at).total_seconds() * 1000),
        ran_at=rfc3339(run.started_at),
        causes=(RunCause.INTERRUPTED,),
        retryable=True,
    )
