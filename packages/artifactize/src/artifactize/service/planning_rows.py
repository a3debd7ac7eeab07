"""From a look at the repository to the rows of a new Run."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from artifactize.domain.modes import RunModes
from artifactize.domain.scheduling import Schedule
from artifactize.models.states import RequestState, Source
from artifactize.models.stored import EvalRequest
from oskit.ids import uuid7

if TYPE_CHECKING:
    from collections.abc import Mapping

    from artifactize.domain.selection import Chosen
    from artifactize.models.stored import Record, Run
    from artifactize.service.accepting import Usable
    from artifactize.service.looking import Look


def new_requests(run: Run, seen: Look, chosen: Chosen, usable: Usable) -> list[EvalRequest]:
    """Return a request for every included eval, reusable verdicts taken over already."""
    modes = RunModes.of(run.modes)
    selected = frozenset(chosen.selected)
    found: list[EvalRequest] = []
    for position, eval_id in enumerate(chosen.included):
        each = seen.project.evals[eval_id]
        key = seen.keys[eval_id]
        only_reused = str(each.kind) in modes.reuse_only
        forced = run.force and eval_id in selected and not each.is_derived and not only_reused
        request = EvalRequest(
            id=uuid7(),
            run_id=run.id,
            position=position,
            eval=eval_id,
            artifact=each.artifact,
            kind=str(each.kind),
            title=each.declaration.title,
            selected=eval_id in selected,
            forced=forced,
            state=RequestState.QUEUED,
            definition=seen.definitions[eval_id],
            key=key,
            fingerprints=seen.covered(eval_id),
            source=Source.DERIVED if each.is_derived else None,
        )
        record = None if forced else usable.records.get(eval_id)
        if record is not None:
            request = reused(request, record, now=run.created_at)
        elif only_reused:
            request = _unreusable(request, usable.refused.get(eval_id), now=run.created_at)
        found.append(request)
    return found


def _unreusable(request: EvalRequest, refused: str | None, *, now: str) -> EvalRequest:
    why = refused or "no verdict holds"
    message = f"evals of kind {request.kind} are only reused in this Run, and {why}"
    return replace(
        request, state=RequestState.STALE, code="REUSE_ONLY", message=message, source=None, finished_at=now
    )


def reused(request: EvalRequest, record: Record, *, now: str, source: Source = Source.REUSED) -> EvalRequest:
    """Return the request with a record's verdict."""
    return replace(
        request,
        state=RequestState(record.verdict),
        source=source,
        source_run=record.run_id,
        source_request=record.request_id,
        exit_code=record.exit_code,
        message=record.message,
        key=record.key,
        fingerprints=record.fingerprints,
        finished_at=now,
    )


def evidence(
    seen: Look, requests: list[EvalRequest], records: Mapping[str, Record]
) -> dict[str, RequestState | None]:
    """Return what is known of every eval looked at: its request's state, else its record's verdict."""
    found: dict[str, RequestState | None] = {}
    for eval_id in seen.keys:
        record = records.get(eval_id)
        found[eval_id] = None if record is None else RequestState(record.verdict)
    # derived evals outside the Run are pending until the schedule derives them
    found |= {eval_id: RequestState.QUEUED for eval_id in seen.keys if seen.project.evals[eval_id].is_derived}
    return found | {request.eval: request.state for request in requests}


def schedule(
    seen: Look,
    requests: list[EvalRequest],
    records: Mapping[str, Record],
    *,
    ignore_gates: bool,
    modes: RunModes,
) -> Schedule:
    """Return the schedule of a Run; its derived evals outside the Run are derived along."""
    order = [request.eval for request in requests]
    outside = [
        eval_id for eval_id in seen.keys if seen.project.evals[eval_id].is_derived and eval_id not in order
    ]
    known = evidence(seen, requests, records)
    return Schedule(seen.graph, [*order, *outside], known, ignore_gates=ignore_gates, modes=modes)
