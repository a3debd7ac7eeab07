"""The worker of one repository: takes up its Runs, beats its heart, and ends when there is nothing to do."""

from __future__ import annotations

import contextlib
import logging
import os
from typing import TYPE_CHECKING

import anyio

from artifactize.execution.local import LocalExecutor
from artifactize.models.stored import Worker
from artifactize.service.answering import Answering
from artifactize.service.remembering import remember
from artifactize.service.running import RunLoop
from artifactize.service.sharing import push
from artifactize.service.worker_care import BEAT_EVERY_S, end_remains, is_working
from artifactize.service.workspace import off_loop
from artifactize.store import owners, runs
from mcpkit.errors import ToolError
from oskit.clock import monotonic, now, rfc3339
from oskit.process import ProcessIdentity

if TYPE_CHECKING:
    from anyio.abc import TaskGroup

    from artifactize.models.stored import Run
    from artifactize.service.workspace import Workspace

LOOK_EVERY_S = 0.05
_STAMP_EVERY_S = 0.01
IDLE_VARIABLE = "ARTIFACTIZE_WORKER_IDLE_S"
IDLE_AFTER_S = 30.0
"""A worker without a Run stays this long, or what the variable says: the next `verify` then finds it warm."""

MOST_IDLE_S = 3600.0
_TOLD_BOUND_S = 1.0

logger = logging.getLogger(__name__)


def idle_after_s() -> float:
    """Return how long a worker stays without a Run: what the environment says, if that is a number."""
    with contextlib.suppress(ValueError):
        return min(max(float(os.environ.get(IDLE_VARIABLE, "")), 0.0), MOST_IDLE_S)
    return IDLE_AFTER_S


class WorkerLoop:
    """The worker process. One lives per repository and state; a second one ends at once."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._owner = str(ProcessIdentity.current())
        self._executor = LocalExecutor()
        self._loops: dict[str, RunLoop] = {}
        self._beaten = 0.0
        self._busy_at = monotonic()
        self._idle_after_s = idle_after_s()
        self._news = anyio.Event()
        self.answering = Answering(workspace, self._wake)

    async def work(self) -> None:
        """Work until idle. Cancelling it leaves its Runs unfinished, for the next worker to resume."""
        if not await off_loop(self._become_worker):
            return
        async with anyio.create_task_group() as tasks:
            self.answering.open(tasks)
            while await self._look_around(tasks):
                await self._wait_for_news()
            self.answering.close()
            tasks.cancel_scope.cancel()

    def _wake(self) -> None:
        self._news.set()  # the present one: there is another after each

    async def _wait_for_news(self) -> None:
        """Wait until it is time to look, or with nothing to do until something was saved."""
        store = self._workspace.store()
        stamp = store.stamp()
        until = monotonic() + LOOK_EVERY_S
        while monotonic() < until and not self._news.is_set():
            with anyio.move_on_after(_STAMP_EVERY_S):
                await self._news.wait()
            if not self._loops and store.stamp() != stamp:
                return
        self._news = anyio.Event()

    async def _look_around(self, tasks: TaskGroup) -> bool:
        """Start new Runs, cancel those that shall be; false when it is time to go."""
        for run in await off_loop(self._unfinished):
            if run.id not in self._loops:
                self._loops[run.id] = RunLoop(
                    self._workspace, run, owner=self._owner, executor=self._executor
                )
                tasks.start_soon(self._run, run)
            elif run.cancel_requested:
                self._loops[run.id].cancel()
        if self._loops or self.answering.clients:
            self._busy_at = monotonic()
        return await self._keep_alive()

    async def _run(self, run: Run) -> None:
        await self._loops[run.id].run()
        await self.answering.told(run.id, bound_s=_TOLD_BOUND_S)
        await self._remember(run)
        await self._share(run)
        del self._loops[run.id]

    async def _remember(self, run: Run) -> None:
        """Leave the next `verify` and `status` an answer at hand, after whoever waits has got his."""
        try:
            await remember(self._workspace, run.environment)
        except Exception:
            logger.exception("nothing is remembered after Run %s", run.id)

    async def _share(self, run: Run) -> None:
        """Put what was judged into the team's review store; what it does not take now waits."""
        try:
            done = await push(self._workspace)
        except ToolError as failure:
            logger.warning("after Run %s: %s", run.id, failure.message)
        except Exception:
            logger.exception("nothing is shared after Run %s", run.id)
        else:
            if done is not None and done.problem is not None and done.left:
                logger.warning("after Run %s: %s", run.id, done.problem)

    async def _keep_alive(self) -> bool:
        if monotonic() - self._beaten >= BEAT_EVERY_S:
            self._beaten = monotonic()
            if not await off_loop(self._beat):
                logger.warning("another worker took over; ending")
                return False
        idle = monotonic() - self._busy_at >= self._idle_after_s
        return not (idle and await off_loop(self._retire))

    def _become_worker(self) -> bool:
        with self._workspace.store().write() as connection:
            former = owners.worker(connection, self._workspace.repository)
            if former is not None and former.owner != self._owner and is_working(former):
                return False
            owners.put_worker(
                connection,
                Worker(
                    repository=self._workspace.repository,
                    owner=self._owner,
                    beat=monotonic(),
                    since=rfc3339(now()),
                ),
            )
        if former is not None:
            end_remains(former)
        return True

    def _unfinished(self) -> list[Run]:
        with self._workspace.store().read() as connection:
            return runs.unfinished(connection, self._workspace.repository)

    def _beat(self) -> bool:
        with self._workspace.store().write() as connection:
            return owners.beat(connection, self._workspace.repository, self._owner, monotonic())

    def _retire(self) -> bool:
        """Give up being the worker unless a Run came in; whoever submits one later starts another."""
        with self._workspace.store().write() as connection:
            if runs.unfinished(connection, self._workspace.repository):
                return False
            owners.drop_worker(connection, self._workspace.repository, self._owner)
        return True
