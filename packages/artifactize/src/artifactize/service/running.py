"""The life of one Run in its worker."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

import anyio

from artifactize.domain.modes import RunModes
from artifactize.domain.states import PENDING
from artifactize.errors import ConfigInvalidError, NotARepositoryError, StateError, SupersededError
from artifactize.execution.limits_file import read_limits
from artifactize.models.states import Outcome
from artifactize.service.accepting import usable
from artifactize.service.claiming import Claims
from artifactize.service.executing import Means
from artifactize.service.finishing import end_run, finish, take_up
from artifactize.service.looking import look, read_graph
from artifactize.service.planning_rows import schedule
from artifactize.service.run_executing import Executions
from artifactize.service.run_looking import RunLooks
from artifactize.service.run_writing import RunWriter
from artifactize.service.sharing import ask_or_none, with_shared
from artifactize.service.workspace import off_loop
from artifactize.tree.operands import Commands
from oskit.files import ensure_private_dir

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from artifactize.domain.graph import Graph
    from artifactize.domain.scheduling import Schedule
    from artifactize.execution.executor import Executor
    from artifactize.models.stored import EvalRequest, Run
    from artifactize.service.accepting import Usable
    from artifactize.service.looking import Look
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
        self.scope = anyio.CancelScope()
        self.cancelled = False

    async def run(self) -> None:
        """Do everything; a failure of ours becomes the Run's ERROR instead of ending the worker."""
        try:
            with self.scope:
                await self._run_all()
        except Exception as failure:
            if _is_superseded(failure):
                logger.warning("Run %s belongs to another worker now", self._run.id)
                return
            logger.exception("Run %s failed", self._run.id)
            await self._end(Outcome.ERROR, failure_words(failure))
            return
        if self.cancelled:
            await self._end(Outcome.CANCELLED, "cancelled")

    def cancel(self) -> None:
        """End the Run's processes and record it as CANCELLED."""
        self.cancelled = True
        self.scope.cancel()

    async def _run_all(self) -> None:
        folder = self._workspace.run_dir(self._run.id)
        await off_loop(lambda: ensure_private_dir(folder))
        await self._executor.tidy(folder)
        try:
            if await self._execute_all():
                await finish(self._workspace, self._run, owner=self._owner)
        finally:
            with anyio.CancelScope(shield=True):
                await self._executor.tidy(folder)

    async def _execute_all(self) -> bool:
        """Execute what the Run has to; false when it has its outcome already, or is left to people."""
        self._run, found = await off_loop(lambda: take_up(self._workspace, self._run, owner=self._owner))
        try:
            graph = await read_graph(self._workspace.root)
        except (ConfigInvalidError, NotARepositoryError) as failure:
            await self._end(Outcome.ERROR, f"the declarations changed: {failure.message}")
            return False
        gone = [each for each in found if each.eval not in graph.project.evals]
        if gone:
            await self._end(Outcome.ERROR, f"the declaration of {gone[0].eval} was removed after submission")
            return False
        plan = await self._schedule(graph, found)
        claims = await self._claims(found)
        writer = RunWriter(self._workspace, self._run, owner=self._owner, claims=claims)
        writer.requests = {each.eval: each for each in found}
        means = Means(
            root=self._workspace.root,
            run=self._run,
            output=self._workspace.run_dir(self._run.id),
            looks=RunLooks(self._workspace.root, graph, self._run.environment),
            commands=Commands(self._workspace.root, graph),
            executor=self._executor,
            claim=writer.claim,
            unstarted=claims.give_back,
        )
        await Executions(means, plan, writer, jobs=self._jobs(found, writer)).run()
        if not writer.waits_for_people():
            return True
        return False if await writer.park() else await self._execute_all()

    def _jobs(self, found: Sequence[EvalRequest], writer: RunWriter) -> Callable[[], int | None]:
        """Return how many evals may run now: one, while an eval is left whose worker ended twice with it.

        What ran then may be what ends workers; one at a time, the others are not given up with it.
        """
        suspects = [each.eval for each in found if each.attempt >= SUSPECT_AFTER]

        def jobs() -> int | None:
            alone = any(writer.requests[eval_id].state in PENDING for eval_id in suspects)
            return 1 if alone else self._run.jobs

        return jobs

    async def _claims(self, found: Sequence[EvalRequest]) -> Claims:
        return Claims(
            self._run,
            owner=self._owner,
            used=sum(each.attempt for each in found),
            most=RunModes.of(self._run.modes).max_executions,
            limits=await off_loop(lambda: read_limits(self._workspace.state_dir)),
        )

    async def _schedule(self, graph: Graph, found: Sequence[EvalRequest]) -> Schedule:
        closure = graph.closure(name for name in self._run.closure if name in graph.project.artifacts)
        inside = {each.eval for each in found}
        # of those inside, each is looked at when it starts; with --all there are no others
        outside = [
            eval_id
            for name in closure
            for eval_id in graph.project.artifacts[name].evals
            if eval_id not in inside
        ]
        covered = dict.fromkeys(name for eval_id in outside for name in graph.project.covered(eval_id))
        seen = await look(self._workspace.root, graph, covered, self._run.environment, evals=outside)
        shared = await ask_or_none(self._workspace, seen, evals=outside)
        known = with_shared(await off_loop(lambda: self._usable(seen)), shared, seen)
        modes = RunModes.of(self._run.modes)
        return schedule(seen, list(found), known.records, ignore_gates=self._run.ignore_gates, modes=modes)

    def _usable(self, seen: Look) -> Usable:
        with self._workspace.store().read() as connection:
            return usable(connection, seen)

    async def _end(self, outcome: Outcome, message: str) -> None:
        with anyio.CancelScope(shield=True):
            await off_loop(lambda: end_run(self._workspace, self._run.id, outcome, message=message))


def failure_words(failure: BaseException) -> str:
    """Return what a Run says of a failure of its worker; what a person can mend, as a full disk, is named."""
    while isinstance(failure, BaseExceptionGroup):
        failure = failure.exceptions[0]
    if isinstance(failure, StateError):
        return f"the worker failed: {failure.message}; {failure.hint or 'verify again'}"
    if isinstance(failure, OSError) and failure.strerror:
        return f"the worker failed: {failure.strerror} ({failure.filename or 'no file named'}); verify again"
    return "the worker failed; its log in the state directory says how"


def _is_superseded(failure: Exception) -> bool:
    if isinstance(failure, ExceptionGroup):
        return failure.subgroup(SupersededError) is not None
    return isinstance(failure, SupersededError)
