"""Submitting a Run: what can be answered from records is answered at once, the rest goes to the worker."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from artifactize.domain.modes import RunModes
from artifactize.domain.outcome import judge, unmet
from artifactize.domain.selection import ALL, choose
from artifactize.domain.standing import with_derived
from artifactize.execution.limits_file import read_limits
from artifactize.models.states import RunState
from artifactize.models.stored import Run
from artifactize.service.accepting import usable
from artifactize.service.looking import declared_environment, look, read_graph
from artifactize.service.planning_rows import new_requests, schedule
from artifactize.service.relooking import look_at_all
from artifactize.service.sharing import ask, with_shared
from artifactize.service.workspace import off_loop
from artifactize.store import requests, runs
from oskit.clock import now, rfc3339
from oskit.ids import uuid7

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from artifactize.domain.outcome import Unmet
    from artifactize.domain.selection import Chosen, Selection
    from artifactize.models.stored import EvalRequest
    from artifactize.service.accepting import Usable
    from artifactize.service.looking import Look
    from artifactize.service.sharing import Shared
    from artifactize.service.workspace import Workspace


@dataclass(frozen=True, slots=True, kw_only=True)
class Submission:
    """What to verify, and how. `request_key` makes submitting it again give the same Run.

    With `require_store` a review store that does not answer is a failure. `run_id` is a new UUID of version 7
    that the Run shall have, so that whoever asks can find it whatever happens to the answer.
    """

    selection: Selection
    request_key: str | None = None
    jobs: int | None = None
    force: bool = False
    recursive: bool = False
    ignore_gates: bool = False
    modes: RunModes = field(default_factory=RunModes)
    require_store: bool = False
    run_id: str | None = None


@dataclass(frozen=True, slots=True)
class Submitted:
    """The Run that answers a submission; `known`: it was there before, under the same request key."""

    run: Run
    known: bool


async def submit(workspace: Workspace, submission: Submission) -> Submitted:
    """Save a Run and return it, finished already when nothing has to be executed.

    Raises ConfigInvalidError, UnknownSelectionError, FingerprintFailedError, ReviewStoreError or StateError,
    and saves nothing.
    """
    if submission.request_key is not None:
        known = await off_loop(lambda: _known(workspace, submission))
        if known is not None:
            return Submitted(known, known=True)
    await off_loop(
        lambda: read_limits(workspace.state_dir)
    )  # a mistake in it is told before anything is saved
    chosen, seen, environment = await _looked(workspace, submission)
    seen.refuse_failures()
    forced = set(chosen.selected) if submission.force else set()
    asked = [each for each in seen.keys if each not in forced]
    shared = await ask(workspace, seen, evals=asked, required=submission.require_store)
    run = new_run(workspace, submission, chosen, environment)
    return await off_loop(lambda: _save(workspace, run, chosen, seen, shared))


async def _looked(workspace: Workspace, submission: Submission) -> tuple[Chosen, Look, dict[str, str]]:
    if submission.selection == ALL:
        whole = await look_at_all(workspace.root, workspace.environment)
        chosen = choose(ALL, whole.graph, recursive=submission.recursive)
        return chosen, whole.seen, whole.environment
    graph = await read_graph(workspace.root)
    chosen = choose(submission.selection, graph, recursive=submission.recursive)
    environment = declared_environment(workspace.environment, graph.project)
    return chosen, await look(workspace.root, graph, chosen.closure, environment), environment


def _known(workspace: Workspace, submission: Submission) -> Run | None:
    store = workspace.existing_store()
    if store is None or submission.request_key is None:
        return None
    with store.read() as connection:
        return runs.by_request_key(connection, workspace.repository, submission.request_key)


def _save(workspace: Workspace, run: Run, chosen: Chosen, seen: Look, shared: Shared) -> Submitted:
    with workspace.store().write() as connection:
        if run.request_key is not None:  # another process may have been faster
            known = runs.by_request_key(connection, workspace.repository, run.request_key)
            if known is not None:
                return Submitted(known, known=True)
        run, found = planned(run, chosen, seen, with_shared(usable(connection, seen), shared, seen))
        runs.add(connection, run)
        requests.add_all(connection, found)
    return Submitted(run, known=False)


def planned(run: Run, chosen: Chosen, seen: Look, known: Usable) -> tuple[Run, list[EvalRequest]]:
    """Return the Run with its requests, over already when nothing has to be executed."""
    found = new_requests(run, seen, chosen, known)
    modes = RunModes.of(run.modes)
    plan = schedule(seen, found, known.records, ignore_gates=run.ignore_gates, modes=modes)
    plan.begin()
    found = [
        replace(
            each,
            state=plan.states[each.eval] or each.state,
            blocked_by=list(plan.blocked_by.get(each.eval, ())),
        )
        for each in found
    ]
    if plan.has_ready():
        return run, found
    ended = [each if each.finished_at else replace(each, finished_at=run.created_at) for each in found]
    obligations = unmet(seen.project, chosen.closure, with_derived(seen.project, plan.states))
    return _finished(run, obligations), ended


def saved_obligations(obligations: Iterable[Unmet]) -> list[list[str | None]]:
    """Return unmet obligations as the Run saves them: `[eval, state]` pairs."""
    return [[each.eval, None if each.state is None else str(each.state)] for each in obligations]


def _finished(run: Run, obligations: Sequence[Unmet]) -> Run:
    return replace(
        run,
        state=RunState.FINISHED,
        outcome=judge(obligations, cancelled=False),
        unmet=saved_obligations(obligations),
        started_at=run.created_at,
        finished_at=run.created_at,
    )


def new_run(workspace: Workspace, submission: Submission, chosen: Chosen, environment: dict[str, str]) -> Run:
    """Return a Run of this moment that has not been planned."""
    return Run(
        id=submission.run_id or uuid7(),
        repository=workspace.repository,
        request_key=submission.request_key,
        selection={"kind": str(submission.selection.kind), "ids": list(submission.selection.ids)},
        closure=list(chosen.closure),
        recursive=submission.recursive,
        force=submission.force,
        ignore_gates=submission.ignore_gates,
        jobs=submission.jobs,
        environment=environment,
        state=RunState.QUEUED,
        outcome=None,
        unmet=[],
        message=None,
        cancel_requested=False,
        revision=1,
        created_at=rfc3339(now()),
        started_at=None,
        finished_at=None,
        modes=submission.modes.saved(),
    )
