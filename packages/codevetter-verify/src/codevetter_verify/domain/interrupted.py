"""The receipt of a run whose process was killed: made by whoever finds it, from what the run left noted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codevetter_verify.domain.records import AuditEntry
from codevetter_verify.domain.verdict import RunCause
from codevetter_verify.domain.wording import MAX_LIMITATION, MAX_SUMMARY
from codevetter_verify.models import PlannedRoute, ReceiptPreview, ReceiptSource, TrexPreviewReceipt
from mcpkit.canonical import compact_json
from mcpkit.text import escape_untrusted
from oskit.clock import rfc3339

if TYPE_CHECKING:
    from collections.abc import Sequence

    from codevetter_verify.domain.records import ActiveRun, RouteNote

_LIMITS = (
    "nothing was verified: what the run had seen was lost with its process",
    "duration_ms is the time until the run was last heard of",
)


def interrupted_receipt(run: ActiveRun) -> TrexPreviewReceipt | None:
    """What is known of it; None for a run of an older version, which did not note what it was about."""
    if run.source_kind is None or run.source_input is None or run.preview is None:
        return None
    return TrexPreviewReceipt(
        run_id=run.run_id,
        repo_path=run.repo_path or "",
        source=ReceiptSource(kind=run.source_kind, input=run.source_input),
        preview=ReceiptPreview(
            status="unavailable",
            requested_url=run.preview,
            evidence="not known: the run was interrupted before it could say",
        ),
        routes=tuple(PlannedRoute(route=note.route, reason=note.reason) for note in run.routes),
        verdict="no_confidence",
        summary=_cut(_summary(run), MAX_SUMMARY),
        limitations=(*_LIMITS, *_route_limits(run.routes)),
        duration_ms=_duration_ms(run),
        ran_at=rfc3339(run.started_at),
        causes=(RunCause.INTERRUPTED,),
        retryable=True,
    )


def interrupted_access(run: ActiveRun, receipt: TrexPreviewReceipt) -> AuditEntry | None:
    """The access that the killed process could not note itself; None when it is not known who asked."""
    if run.face is None:
        return None
    return AuditEntry(
        repo_key=run.repo_key,
        at=run.seen_at or run.started_at,
        face=run.face,
        operation="verify_change_preview",
        status="interrupted",
        duration_ms=receipt.duration_ms,
        request_bytes=0,
        result_bytes=len(compact_json(receipt).encode()),
        verdict=receipt.verdict,
        run_id=run.run_id,
    )


def _summary(run: ActiveRun) -> str:
    """A failure that was seen comes first, as in every receipt."""
    failed = [note.route for note in run.routes if note.outcome == "failed"]
    seen = f"{', '.join(failed)} failed when last seen; " if failed else ""
    return f"{seen}no confidence: the run's process ended while it was {run.stage or 'beginning'}"


def _route_limits(routes: Sequence[RouteNote]) -> list[str]:
    """Which routes were judged before the end, which were still open."""
    judged = ", ".join(f"{note.route} {note.outcome}" for note in routes if note.outcome is not None)
    still_open = ", ".join(note.route for note in routes if note.outcome is None)
    found = [f"judged at first sight before it ended: {judged or 'no route'}"]
    found += [f"not judged yet: {still_open}"] if still_open else []
    return [_cut(text, MAX_LIMITATION) for text in found] if routes else ["no route was planned yet"]


def _duration_ms(run: ActiveRun) -> int:
    """Not negative, also when the machine's clock was set back during the run."""
    seen_at = run.seen_at or run.started_at
    return max(0, round((seen_at - run.started_at).total_seconds() * 1000))


def _cut(text: str, limit: int) -> str:
    safe = escape_untrusted(text)
    return safe if len(safe) <= limit else f"{safe[: limit - 1]}…"
