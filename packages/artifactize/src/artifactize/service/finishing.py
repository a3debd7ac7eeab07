"""Ending Runs: final validation, cancelling, and taking up what a dead worker left."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from artifactize.domain.outcome import judge, unmet
from artifactize.domain.selection import SelectionKind
from artifactize.domain.standing import with_derived
from artifactize.domain.states import OPEN, VERDICTS
from artifactize.errors import ConfigInvalidError, NotARepositoryError, SupersededError
from artifactize.models.states import Outcome, RequestState, RunState, Source
from artifactize.service.accepting import usable
from artifactize.service.looking import look, read_graph
from artifactize.service.planning_rows import evidence
from artifactize.service.relooking import look_at_all
from artifactize.service.sharing import ask_or_none, with_shared
from artifactize.service.submitting import saved_obligations
from artifactize.service.worker_care import end_remains, is_working
from artifactize.service.workspace import off_loop
from artifactize.store import evicting, owners, requests, runs
from oskit.clock import now, rfc3339

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import sqlalchemy as sa

    from artifactize.domain.graph import Graph
    from artifactize.domain.outcome import Unmet
    from artifactize.models.stored import EvalRequest, Run
    from artifactize.service.looking import Look
    from artifactize.service.sharing import Shared
    from artifactize.service.workspace import Workspace

MAX_ATTEMPTS = 3
"""How often an eval is started when its worker dies with it, before it counts as what kills the worker."""


async def finish(workspace: Workspace, run: Run, *, owner: str) -> None:
    """Validate a Run in which nothing can start any more, and give it its outcome.

    Raises SupersededError when the process `owner` is not the worker any more.
    """
    try:
        seen = await _look(workspace, run)
    except (ConfigInvalidError, NotARepositoryError) as failure:
        message = f"the declarations changed while the Run went on: {failure.message}"
        await off_loop(lambda: end_run(workspace, run.id, Outcome.ERROR, message=message))
        return
    inside = {each.eval for each in await off_loop(lambda: _requests(workspace, run))}
    shared = await ask_or_none(workspace, seen, evals=[each for each in seen.keys if each not in inside])
    await off_loop(lambda: _validate(workspace, run, seen, shared, owner))


async def _look(workspace: Workspace, run: Run) -> Look:
    """Look at the closure of today: an input that was added since the Run was submitted is an obligation."""
    if run.selection["kind"] == SelectionKind.ALL:
        whole = await look_at_all(workspace.root, run.environment)
        if whole.graph.closure(_still(run, whole.graph)) == whole.chosen.closure:
            return whole.seen
    graph = await read_graph(workspace.root)
    return await look(workspace.root, graph, graph.closure(_still(run, graph)), run.environment)


def _still(run: Run, graph: Graph) -> Iterator[str]:
    return (name for name in run.closure if name in graph.project.artifacts)


def _requests(workspace: Workspace, run: Run) -> list[EvalRequest]:
    with workspace.store().read() as connection:
        return requests.of_run(connection, run.id)


def _validate(workspace: Workspace, run: Run, seen: Look, shared: Shared, owner: str) -> None:
    closure = seen.graph.closure(_still(run, seen.graph))
    with workspace.store().write() as connection:
        _refuse_superseded(connection, workspace, run.id, owner)
        found = requests.of_run(connection, run.id)
        known = with_shared(usable(connection, seen), shared, seen)
        checked = [_revalidated(each, seen, known.refused.get(each.eval)) for each in found]
        states = with_derived(seen.project, evidence(seen, checked, known.records))
        checked = [_rederived(each, states.get(each.eval)) for each in checked]
        obligations = unmet(seen.project, closure, states)
        _end(connection, run.id, judge(obligations, cancelled=False), obligations)
        _save_changes(connection, run.id, found, checked)
        evicting.evict(connection)


def _revalidated(request: EvalRequest, seen: Look, refused: str | None) -> EvalRequest:
    """Return the request, STALE when its verdict answers for something that has changed since.

    So is one that was taken over and that `accept` refuses by now; what was executed in this Run counts.
    """
    if refused is not None and request.source is Source.REUSED and request.state in VERDICTS:
        message = f"{refused}; verify again"
        return replace(request, state=RequestState.STALE, code="NOT_ACCEPTED", message=message)
    same_question = seen.definitions.get(request.eval) == request.definition
    same_inputs = request.key is None or seen.keys.get(request.eval) == request.key
    if request.state not in VERDICTS or (same_question and same_inputs):
        return request
    message = "its inputs changed after it was reviewed; verify again"
    return replace(request, state=RequestState.STALE, code="INPUT_CHANGED", message=message)


def _rederived(request: EvalRequest, state: RequestState | None) -> EvalRequest:
    if request.kind != "dependency" or request.state is not RequestState.GREEN or state is RequestState.GREEN:
        return request
    message = "what it depends on changed after it was reviewed; verify again"
    return replace(request, state=RequestState.STALE, code="INPUT_CHANGED", message=message)


def _refuse_superseded(connection: sa.Connection, workspace: Workspace, run_id: str, owner: str) -> None:
    if not owners.is_worker(connection, workspace.repository, owner):
        raise SupersededError(run_id)


def cancel(workspace: Workspace, run: Run) -> None:
    """Ask the worker to cancel a Run, or cancel it here when nobody works on it.

    What a dead or hung worker left running is ended first, so that nothing of the Run goes on.
    """
    with workspace.store().write() as connection:
        worker = owners.worker(connection, workspace.repository)
        if worker is not None and is_working(worker):
            runs.change(connection, run.id, {"cancel_requested": True})
            return
        if worker is not None:  # whatever it still wants to write is refused from now on
            owners.drop_worker(connection, workspace.repository, worker.owner)
    if worker is not None:
        end_remains(worker)
    end_run(workspace, run.id, Outcome.CANCELLED, message="cancelled")


def end_run(workspace: Workspace, run_id: str, outcome: Outcome, *, message: str) -> None:
    """End a Run early: what was reviewed stays, the rest is CANCELLED. A finished Run is left alone."""
    with workspace.store().write() as connection:
        run = runs.get(connection, run_id, repository=workspace.repository)
        if run is None or run.state is RunState.FINISHED:
            return
        found = requests.of_run(connection, run_id)
        ended = [
            replace(each, state=RequestState.CANCELLED, finished_at=rfc3339(now()))
            if each.state in OPEN
            else each
            for each in found
        ]
        owners.drop_claims(connection, [each.id for each in found])
        rows: list[list[str | None]] = [
            [each.eval, str(each.state)] for each in ended if each.state is not RequestState.GREEN
        ]
        _finish_row(connection, run_id, outcome, rows, message=message)
        _save_changes(connection, run_id, found, ended)


def take_up(workspace: Workspace, run: Run, *, owner: str) -> tuple[Run, list[EvalRequest]]:
    """Begin or resume a Run: evals that a dead worker left running are interrupted and queued again.

    Raises SupersededError when the process `owner` is not the worker any more.
    """
    with workspace.store().write() as connection:
        _refuse_superseded(connection, workspace, run.id, owner)
        found = requests.of_run(connection, run.id)
        resumed = [_resumed(each) for each in found]
        owners.drop_claims(connection, [each.id for each in found if each.state is RequestState.RUNNING])
        started = run.started_at or rfc3339(now())
        runs.change(connection, run.id, {"state": RunState.RUNNING, "started_at": started})
        _save_changes(connection, run.id, found, resumed)
    return replace(run, state=RunState.RUNNING, started_at=started), resumed


def _resumed(request: EvalRequest) -> EvalRequest:
    if request.state is not RequestState.RUNNING:
        return request
    if request.attempt < MAX_ATTEMPTS:
        return replace(request, state=RequestState.QUEUED, source=None, source_run=None, started_at=None)
    message = f"its worker ended {request.attempt} times while it ran; see its logs"
    ended = rfc3339(now())
    return replace(request, state=RequestState.ERROR, code="INTERRUPTED", message=message, finished_at=ended)


def _save_changes(
    connection: sa.Connection, run_id: str, before: Sequence[EvalRequest], after: Sequence[EvalRequest]
) -> None:
    changed = [new for old, new in zip(before, after, strict=True) if old != new]
    requests.save_all(connection, run_id, changed)


def _end(connection: sa.Connection, run_id: str, outcome: Outcome, obligations: Sequence[Unmet]) -> None:
    _finish_row(connection, run_id, outcome, saved_obligations(obligations), message=None)


def _finish_row(
    connection: sa.Connection,
    run_id: str,
    outcome: Outcome,
    rows: list[list[str | None]],
    *,
    message: str | None,
) -> None:
    changes = {"state": RunState.FINISHED, "outcome": outcome, "unmet": rows, "message": message}
    runs.change(connection, run_id, {**changes, "finished_at": rfc3339(now())})
