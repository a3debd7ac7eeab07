"""From what is saved to what is shown: the same projections for every command and tool."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from artifactize.domain.blockers import KnownStates, held_by
from artifactize.domain.outcome import EXIT_CODES
from artifactize.models.inspection import CacheEntry, Obligation, RequestReport, RunReport, RunSummary
from artifactize.models.scope import SavedScope
from artifactize.models.states import RequestState, RunState, Source
from artifactize.models.verification import (
    EvalResult,
    Finding,
    NextCheck,
    RunStatus,
    SourceCount,
    StateCount,
    VerifyResult,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from artifactize.models.stored import EvalRequest, Record, Run

SUMMARY_CHARS = 512
SHOWN_RUNNING = 5
SHOWN_BLOCKERS = 10
_NEXT_SECONDS = 5


def scope_of(run: Run) -> SavedScope:
    """Return the envelope that a Run was submitted with."""
    selection = run.selection
    ids = selection["ids"]
    assert isinstance(ids, list)
    return SavedScope.of(str(selection["kind"]), ids)


def exit_code(run: Run) -> int | None:
    """Return what a command that waits for a Run exits with; None while it goes on."""
    return None if run.outcome is None else EXIT_CODES[run.outcome]


def state_counts(states: Mapping[RequestState, int]) -> tuple[StateCount, ...]:
    """Return the states that occur, in the order of their definition."""
    return tuple(StateCount(state=state, count=states[state]) for state in RequestState if states.get(state))


def run_status(run: Run, found: Sequence[EvalRequest]) -> RunStatus:
    """Return where a Run stands, small."""
    running = [each.eval for each in found if each.state is RequestState.RUNNING]
    over = run.state is RunState.FINISHED
    advice = NextCheck(tool="verify_result", after_seconds=0)
    if not over:
        advice = NextCheck(tool="verify_wait", after_seconds=_NEXT_SECONDS)
    return RunStatus(
        run_id=run.id,
        state=run.state,
        outcome=run.outcome,
        exit_code=exit_code(run),
        total=len(found),
        counts=state_counts(Counter(each.state for each in found)),
        running=tuple(running[:SHOWN_RUNNING]),
        message=_cut(run.message),
        next_check=advice,
    )


def findings(run: Run, found: Sequence[EvalRequest]) -> list[Finding]:
    """Return every eval that is not GREEN, then the unmet obligations outside the Run."""
    inside = {each.eval for each in found}
    states = known_states(run, found)
    own = [_finding(each, states) for each in found if each.state is not RequestState.GREEN]
    outside = [
        Finding(
            request_id=None,
            eval=eval_id,
            state=None if state is None else RequestState(state),
            source=None,
            source_run=None,
            exit_code=None,
            code=None,
            summary="required, and not part of this Run; --recursive verifies it, too",
            blocked_by=(),
        )
        for eval_id, state in run.unmet
        if eval_id is not None and eval_id not in inside
    ]
    return own + outside


def verify_result(
    run: Run,
    found: Sequence[EvalRequest],
    *,
    page: Sequence[Finding],
    findings_total: int,
    next_cursor: str | None,
) -> VerifyResult:
    """Return the verdict of a Run with one page of its findings."""
    sources = Counter(each.source for each in found)
    return VerifyResult(
        run_id=run.id,
        state=run.state,
        outcome=run.outcome,
        exit_code=exit_code(run),
        scope=scope_of(run),
        total=len(found),
        counts=state_counts(Counter(each.state for each in found)),
        sources=SourceCount(
            executed=sources[Source.EXECUTED],
            reused=sources[Source.REUSED],
            joined=sources[Source.JOINED],
            derived=sources[Source.DERIVED],
        ),
        findings_total=findings_total,
        findings=tuple(page),
        message=_cut(run.message),
        next_cursor=next_cursor,
    )


def eval_result(request: EvalRequest, states: KnownStates) -> EvalResult:
    """Return one saved state for watchers; `states` as `known_states` gives them."""
    return EvalResult(
        run_id=request.run_id,
        request_id=request.id,
        eval=request.eval,
        state=request.state,
        source=request.source,
        source_run=request.source_run,
        exit_code=request.exit_code,
        code=request.code,
        summary=summary(request, states),
        duration_ms=request.duration_ms,
    )


def known_states(run: Run, found: Sequence[EvalRequest]) -> KnownStates:
    """Return the state of every eval of a Run, and of the obligations outside it once it is over."""
    outside = {name: _state(state) for name, state in run.unmet if name is not None}
    return KnownStates(outside | {each.eval: each.state for each in found})


def summary(request: EvalRequest, states: KnownStates) -> str:
    """Return in at most 512 characters what there is to say about a request."""
    if request.state is RequestState.WAITING_HUMAN:
        return f"a person has to sign it off: artifactize request claim {request.id}"
    if request.message:
        text = f"{request.code}: {request.message}" if request.code else request.message
        return _cut(text) or ""
    return _cut(held_by(request.state, request.blocked_by, states)) or ""


def run_summary(run: Run, states: Mapping[str, int]) -> RunSummary:
    """Return a Run as a list shows it."""
    return RunSummary(
        run_id=run.id,
        request_key=run.request_key,
        scope=scope_of(run),
        state=run.state,
        outcome=run.outcome,
        counts=state_counts({RequestState(state): count for state, count in states.items()}),
        created_at=run.created_at,
        finished_at=run.finished_at,
    )


def run_report(run: Run, found: Sequence[EvalRequest]) -> RunReport:
    """Return everything that is saved of a Run but its output."""
    other = {"run_id", "scope", "closure", "exit_code", "unmet", "requests"}
    return RunReport(
        run_id=run.id,
        scope=scope_of(run),
        closure=tuple(run.closure),
        exit_code=exit_code(run),
        unmet=tuple(Obligation(eval=name or "", state=_state(state)) for name, state in run.unmet),
        requests=tuple(request_report(each) for each in found),
        **{name: getattr(run, name) for name in RunReport.model_fields.keys() - other},
    )


def cache_entry(record: Record) -> CacheEntry:
    """Return a record as a list shows it."""
    same = ("sequence", "key", "eval", "run_id", "request_id", "recorded_at", "message")
    return CacheEntry(verdict=RequestState(record.verdict), **{name: getattr(record, name) for name in same})


def request_report(request: EvalRequest) -> RequestReport:
    """Return everything that is saved of a request but its definition and output."""
    other = {"request_id", "fingerprints", "blocked_by"}
    names = RequestReport.model_fields.keys() - other
    return RequestReport(
        request_id=request.id,
        fingerprints=dict(request.fingerprints),
        blocked_by=tuple(request.blocked_by),
        **{name: getattr(request, name) for name in names},
    )


def _finding(request: EvalRequest, states: KnownStates) -> Finding:
    return Finding(
        request_id=request.id,
        eval=request.eval,
        state=request.state,
        source=request.source,
        source_run=request.source_run,
        exit_code=request.exit_code,
        code=request.code,
        summary=summary(request, states),
        blocked_by=tuple(request.blocked_by[:SHOWN_BLOCKERS]),
    )


def _state(state: str | None) -> RequestState | None:
    return None if state is None else RequestState(state)


def _cut(text: str | None) -> str | None:
    if text is None or len(text) <= SUMMARY_CHARS:
        return text
    return text[: SUMMARY_CHARS - 1] + "…"
