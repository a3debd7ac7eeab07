"""Looking at saved Runs and waiting for them; waiting also keeps their worker alive."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import anyio

from artifactize.domain.states import OPEN
from artifactize.errors import RequestNotFoundError, RunNotFoundError
from artifactize.models.states import RequestState, RunState
from artifactize.models.verification import WatchEvent
from artifactize.service.projecting import eval_result, findings, known_states, run_status, verify_result
from artifactize.service.worker_care import WorkerCare
from artifactize.service.workspace import off_loop
from artifactize.store import requests, runs
from oskit.clock import monotonic

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterator

    from artifactize.domain.blockers import KnownStates
    from artifactize.models.stored import EvalRequest, Run
    from artifactize.models.verification import VerifyResult
    from artifactize.service.workspace import Workspace

_STAMP_EVERY_S = 0.01
_LONGEST_LOOK_S = 0.2
_REST = 4
_CARE_EVERY_S = 1.0


@dataclass(frozen=True, slots=True)
class Seen:
    """A Run with its requests at one moment."""

    run: Run
    requests: list[EvalRequest]

    @property
    def is_over(self) -> bool:
        """Whether the Run has its outcome."""
        return self.run.state is RunState.FINISHED


async def observe(workspace: Workspace, run_id: str) -> Seen:
    """Return a saved Run. Raises RunNotFoundError, StateError."""
    return await off_loop(lambda: _read(workspace, run_id))


async def find_request(workspace: Workspace, request_id: str) -> EvalRequest:
    """Return a saved request. Raises RequestNotFoundError, StateError."""
    return await off_loop(lambda: _read_request(workspace, request_id))


async def follow(workspace: Workspace, run_id: str, *, seconds: float | None = None) -> AsyncIterator[Seen]:
    """Yield the Run now and after every change, until it is over or the time is up; then end.

    The last one yielded is the newest known. Raises RunNotFoundError, StateError, WorkerFailedError.
    """
    care = WorkerCare(workspace)
    ends = None if seconds is None else monotonic() + seconds
    cared = 0.0
    known: Seen | None = None
    while True:
        began = monotonic()
        stamp = await off_loop(lambda: _stamp(workspace))
        seen, changed = await off_loop(lambda: _reread(workspace, run_id, known))  # noqa: B023 - awaited at once
        known = seen
        if changed:
            yield seen
        # looking at a large Run costs what its commands could use: a fifth of the time at most
        rest_s = min(_REST * (monotonic() - began), _LONGEST_LOOK_S) if changed else 0.0
        left = math.inf if ends is None else ends - monotonic()
        if seen.is_over or left <= 0:
            return
        if monotonic() - cared >= _CARE_EVERY_S:
            cared = monotonic()
            await off_loop(care.check)
        await anyio.sleep(min(rest_s, left))
        await _wait_for_news(workspace, stamp, min(_LONGEST_LOOK_S, left - rest_s))


async def _wait_for_news(workspace: Workspace, stamp: object, longest_s: float) -> None:
    """Wait until something was saved since `stamp` was taken, or for as long as it may not have shown."""
    until = monotonic() + longest_s
    while monotonic() < until and _stamp(workspace) == stamp:  # noqa: ASYNC110 - another process's doing
        await anyio.sleep(_STAMP_EVERY_S)


def _stamp(workspace: Workspace) -> object:
    store = workspace.existing_store()
    return None if store is None else store.stamp()


async def wait(workspace: Workspace, run_id: str, *, seconds: float | None = None) -> Seen:
    """Return the Run when it is over or the time is up."""
    newest: Seen | None = None
    async for seen in follow(workspace, run_id, seconds=seconds):
        newest = seen
    assert newest is not None  # `follow` yields at least once
    return newest


class Watcher:
    """Turns what one observer sees into the events it is told; each saved status of an eval is told once.

    `outcome` makes what is told at its end: by default the result with all findings on one page.
    """

    def __init__(self, outcome: Callable[[Seen], VerifyResult] | None = None) -> None:
        self._outcome = outcome or whole_result
        self._told: dict[str, RequestState] = {}
        self._attached = False

    def events(self, seen: Seen) -> Iterator[WatchEvent]:
        """Yield an update, the evals that ended since the last look, and the outcome when there is one."""
        if not seen.is_over or not self._attached:
            self._attached = True
            yield WatchEvent(kind="update", data=run_status(seen.run, seen.requests))
        known = known_states(seen.run, seen.requests)
        for request in seen.requests:
            settled = seen.is_over or _is_settled(request, known)
            if settled and self._told.get(request.id) is not request.state:
                self._told[request.id] = request.state
                yield WatchEvent(kind="eval_result", data=eval_result(request, known))
        if seen.is_over:
            yield WatchEvent(kind="outcome", data=self._outcome(seen))


def _is_settled(request: EvalRequest, known: KnownStates) -> bool:
    """Whether what there is to say of a request stays true; of a BLOCKED one, what blocks it may go on.

    That a person is waited for is said, too: nothing else is told until one comes.
    """
    if request.state is RequestState.BLOCKED:
        return not known.go_on(request.blocked_by)
    return request.state is RequestState.WAITING_HUMAN or request.state not in OPEN


def whole_result(seen: Seen) -> VerifyResult:
    """Return a Run's result with all findings on one page, as the command line shows it."""
    everything = findings(seen.run, seen.requests)
    return verify_result(
        seen.run, seen.requests, page=everything, findings_total=len(everything), next_cursor=None
    )


def _read(workspace: Workspace, run_id: str) -> Seen:
    return _reread(workspace, run_id, None)[0]


def _reread(workspace: Workspace, run_id: str, known: Seen | None) -> tuple[Seen, bool]:
    """Return the Run as it is now, reading only what is newer than what is known, and whether there is."""
    store = workspace.existing_store()
    if store is None:
        raise RunNotFoundError(run_id)
    with store.read() as connection:
        run = runs.get(connection, run_id, repository=workspace.repository)
        if run is None:
            raise RunNotFoundError(run_id)
        if known is None:
            return Seen(run, requests.of_run(connection, run_id)), True
        if run.revision == known.run.revision:
            return known, False
        changed = requests.of_run(connection, run_id, newer_than=known.run.revision)
    newer = {each.id: each for each in changed}
    return Seen(run, [newer.get(each.id, each) for each in known.requests]), True


def _read_request(workspace: Workspace, request_id: str) -> EvalRequest:
    store = workspace.existing_store()
    if store is None:
        raise RequestNotFoundError(request_id)
    with store.read() as connection:
        found = requests.get(connection, request_id, repository=workspace.repository)
    if found is None:
        raise RequestNotFoundError(request_id)
    return found
