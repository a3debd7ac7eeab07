"""The life of one Run in its worker."""

from __future__ import annotations

import logging
import math
from dataclasses import replace
from typing import TYPE_CHECKING

import anyio

from artifactize.domain.states import PENDING, may_follow
from artifactize.errors import ConfigInvalidError, NotARepositoryError
from artifactize.models.states import Outcome, RequestState
from artifactize.models.stored import Output
from artifactize.service.executing import Ending, EvalExecution, changed_columns
from artifactize.service.finishing import end_run, finish, take_up
from artifactize.service.looking import look, read_graph
from artifactize.service.planning_rows import schedule
from artifactize.service.workspace import off_loop
from artifactize.store import owners, records, requests, runs
from oskit.clock import now, rfc3339

if TYPE_CHECKING:
    from collections.abc import Sequence

    import sqlalchemy as sa
    from anyio.abc import TaskGroup
    from anyio.streams.memory import MemoryObjectSendStream

    from artifactize.domain.graph import Graph
    from artifactize.domain.scheduling import Change, Schedule
    from artifactize.execution.executor import Executor
    from artifactize.models.stored import EvalRequest, Record, Run
    from artifactize.service.workspace import Workspace

SUSPECT_AFTER = 2

logger = logging.getLogger(__name__)


class RunLoop:
    """Executes one Run to its outcome."""

    def __init__(self, workspace: Workspace, run: Run, *, owner: str, executor: Executor) -> None:
        self._workspace = workspace
        self._run = run
        self._owner = owner
        self._executor = executor
        self._requests: dict[str, EvalRequest] = {}
        self._suspects: list[str] = []
        self._writing = anyio.Lock()
        self._running = 0
        self.scope = anyio.CancelScope()
        self.cancelled = False

    async def run(self) -> None:
        """Do everything; a failure of ours becomes the Run's ERROR instead of ending the worker."""
        try:
            with self.scope:
                await self._run_all()
        except Exception:
            logger.exception("Run %s failed", self._run.id)
            await self._end(Outcome.ERROR, "the worker failed; its log in the state directory says how")
            return
        if self.cancelled:
            await self._end(Outcome.CANCELLED, "cancelled")

    def cancel(self) -> None:
        """End the Run's processes and record it as CANCELLED."""
        self.cancelled = True
        self.scope.cancel()

    async def _run_all(self) -> None:
        self._run, found = await off_loop(lambda: take_up(self._workspace, self._run))
        self._requests = {each.eval: each for each in found}
        self._suspects = [each.eval for each in found if each.attempt >= SUSPECT_AFTER]
        try:
            graph = await read_graph(self._workspace.root)
        except (ConfigInvalidError, NotARepositoryError) as failure:
            await self._end(Outcome.ERROR, f"the declarations changed: {failure.message}")
            return
        gone = [each for each in found if each.eval not in graph.project.evals]
        if gone:
            await self._end(Outcome.ERROR, f"the declaration of {gone[0].eval} was removed after submission")
            return
        await self._execute_all(graph, await self._schedule(graph, found))
        await finish(self._workspace, self._run)

    async def _schedule(self, graph: Graph, found: Sequence[EvalRequest]) -> Schedule:
        closure = graph.closure(name for name in self._run.closure if name in graph.project.artifacts)
        seen = await look(self._workspace.root, graph, closure, self._run.environment)
        keys = [key for key in seen.keys.values() if key is not None]
        usable = await off_loop(lambda: self._records(keys))
        return schedule(seen, list(found), usable, ignore_gates=self._run.ignore_gates)

    def _records(self, keys: Sequence[str]) -> dict[str, Record]:
        with self._workspace.store().read() as connection:
            return records.current(connection, keys)

    async def _execute_all(self, graph: Graph, plan: Schedule) -> None:
        await self._save(None, plan.begin())
        send, receive = anyio.create_memory_object_stream[Ending](math.inf)
        async with anyio.create_task_group() as tasks, send, receive:
            while self._start_ready(tasks, graph, plan, send) or self._running:
                ending = await receive.receive()
                self._running -= 1
                changes = plan.settle(ending.request.eval, ending.request.state)
                await self._save(ending, changes)

    def _start_ready(
        self,
        tasks: TaskGroup,
        graph: Graph,
        plan: Schedule,
        send: MemoryObjectSendStream[Ending],
    ) -> bool:
        jobs = 1 if self._has_suspects() else self._run.jobs
        for eval_id in plan.take(None if jobs is None else max(jobs - self._running, 0)):
            self._running += 1
            tasks.start_soon(self._execute, graph, self._requests[eval_id], send)
        return self._running > 0

    def _has_suspects(self) -> bool:
        """Whether an eval is left whose worker ended twice while it ran.

        What ran then may be what ends workers; one at a time, the others are not given up with it.
        """
        return any(self._requests[eval_id].state in PENDING for eval_id in self._suspects)

    async def _execute(
        self, graph: Graph, request: EvalRequest, send: MemoryObjectSendStream[Ending]
    ) -> None:
        execution = EvalExecution(
            self._workspace, self._run, request, owner=self._owner, executor=self._executor
        )
        await send.send(await execution.end(graph))

    async def _save(self, ending: Ending | None, changes: Sequence[Change]) -> None:
        """Save an ending with all that follows from it in one transaction, one after the other."""
        with anyio.CancelScope(shield=True):  # a verdict that was reached is never lost to a cancellation
            async with self._writing:
                await off_loop(lambda: self._write(ending, changes))

    def _write(self, ending: Ending | None, changes: Sequence[Change]) -> None:
        with self._workspace.store().write() as connection:
            runs.change(connection, self._run.id, {})
            if ending is not None:
                self._change(connection, ending.request)
                self._publish(connection, ending)
            for change in changes:
                before = self._requests.get(change.eval)
                if before is not None:
                    self._change(connection, _followed(before, change))

    def _change(self, connection: sa.Connection, after: EvalRequest) -> None:
        before = self._requests[after.eval]
        assert may_follow(before.state, after.state), f"{after.eval}: {before.state} to {after.state}"
        # `started_at` and the like were written when it was claimed; writing them again costs nothing
        if columns := changed_columns(before, after):
            requests.change(connection, after.id, columns)
        self._requests[after.eval] = after

    def _publish(self, connection: sa.Connection, ending: Ending) -> None:
        request = ending.request
        for stream, found in ending.outputs.items():
            output = Output(
                request_id=request.id, stream=stream, text=found.text, total_bytes=found.total_bytes
            )
            requests.put_output(connection, output)
        if ending.publish:
            records.put_manifests(connection, ending.manifests)
            records.publish(connection, published_columns(request))
        owners.drop_claims(connection, [request.id])

    async def _end(self, outcome: Outcome, message: str) -> None:
        with anyio.CancelScope(shield=True):
            await off_loop(lambda: end_run(self._workspace, self._run.id, outcome, message=message))


def published_columns(request: EvalRequest) -> dict[str, object]:
    """Return the record of a request's verdict, as it is published."""
    names = ("key", "eval", "artifact", "definition", "fingerprints", "exit_code", "message", "run_id")
    columns: dict[str, object] = {name: getattr(request, name) for name in names}
    return columns | {
        "verdict": str(request.state),
        "request_id": request.id,
        "recorded_at": request.finished_at,
    }


def _followed(request: EvalRequest, change: Change) -> EvalRequest:
    ended = change.state in {RequestState.GREEN, RequestState.BLOCKED}
    return replace(
        request,
        state=change.state,
        blocked_by=list(change.blocked_by),
        finished_at=rfc3339(now()) if ended else None,
    )
