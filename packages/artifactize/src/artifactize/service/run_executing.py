"""Starting the evals of one Run as their gates open, and taking in how they end."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeAlias

import anyio

from artifactize.models.states import RequestState
from artifactize.service.claiming import Asked, Ending, Held
from artifactize.service.executing import EvalExecution

if TYPE_CHECKING:
    from collections.abc import Callable

    from anyio.abc import TaskGroup

    from artifactize.domain.scheduling import Change, Schedule
    from artifactize.models.stored import EvalRequest
    from artifactize.service.executing import Means
    from artifactize.service.run_writing import RunWriter

_FIRST_WAIT_S = 0.05
_LONGEST_WAIT_S = 0.5
_PEOPLE_EVERY_S = 0.5
_MOST_TOGETHER = 256


@dataclass(frozen=True, slots=True)
class _Again:
    """An eval that was held up looks again whether it may run."""

    eval: str


@dataclass(frozen=True, slots=True)
class _Withdrawn:
    """An eval that started ahead of its gate was stopped, since the gate closed."""

    eval: str


@dataclass(frozen=True, slots=True)
class _Signed:
    """A person's answer came in; the request as it was saved then."""

    request: EvalRequest


_News: TypeAlias = "Ending | Held | Asked | _Signed | _Again | _Withdrawn"


class Executions:
    """The executions of one Run. `jobs` says how many may run at a time; None: any number."""

    def __init__(
        self, means: Means, plan: Schedule, writer: RunWriter, *, jobs: Callable[[], int | None]
    ) -> None:
        self._means = means
        self._plan = plan
        self._writer = writer
        self._jobs = jobs
        self._running: dict[str, anyio.CancelScope] = {}
        self._waits: dict[str, float] = {}
        self._waiting = 0
        self._send, self._receive = anyio.create_memory_object_stream[_News](math.inf)

    async def run(self) -> None:
        """Execute until nothing can start any more."""
        await self._writer.settle((), self._plan.begin())
        async with anyio.create_task_group() as tasks, self._send, self._receive:
            self._means.looks.start(tasks)
            tasks.start_soon(self._writer.serve_claims)
            tasks.start_soon(self._look_for_people)
            try:
                while self._start_ready(tasks) or self._waiting:
                    await self._take_in(tasks, [await self._receive.receive(), *self._at_hand()])
            finally:
                # what ended while a cancellation came is saved all the same
                await self._take_in(None, self._at_hand())
            tasks.cancel_scope.cancel()

    def _start_ready(self, tasks: TaskGroup) -> bool:
        jobs = self._jobs()
        for eval_id in self._plan.take(None if jobs is None else max(jobs - len(self._running), 0)):
            self._running[eval_id] = anyio.CancelScope()
            tasks.start_soon(self._execute, self._writer.requests[eval_id])
        return bool(self._running)

    async def _execute(self, request: EvalRequest) -> None:
        execution = EvalExecution(self._means, request, waited=request.eval in self._waits)
        scope = self._running[request.eval]
        news: _News = _Withdrawn(request.eval)
        with scope:
            news = await execution.end()
        self._send.send_nowait(news)

    def _at_hand(self) -> list[_News]:
        """Return what has happened already, so that it is saved together."""
        found: list[_News] = []
        while len(found) < _MOST_TOGETHER:
            try:
                found.append(self._receive.receive_nowait())
            except anyio.WouldBlock:
                break
        return found

    async def _take_in(self, tasks: TaskGroup | None, news: list[_News]) -> None:
        endings: list[Ending] = []
        changes: list[Change] = []
        stopped: list[str] = []
        for each in news:
            if isinstance(each, Ending):
                ending, follows = self._ended(each)
                endings.append(ending)
                changes += follows
            elif isinstance(each, Held):
                self._hold(tasks, each.request.eval)
            elif isinstance(each, Asked):
                del self._running[each.request.eval]
                changes += self._plan.settle(each.request.eval, each.request.state)
            elif isinstance(each, _Signed):
                changes += self._plan.settle(each.request.eval, each.request.state)
            elif isinstance(each, _Again):
                self._waiting -= 1
                changes += self._plan.put_back(each.eval)
            else:
                del self._running[each.eval]
                stopped.append(each.eval)
                changes += self._plan.put_back(each.eval)
        for eval_id in self._plan.withdrawn():
            if eval_id in self._running:
                self._running[eval_id].cancel()
        await self._writer.settle(endings, changes, stopped=stopped)

    def _ended(self, ending: Ending) -> tuple[Ending, list[Change]]:
        request = ending.request
        del self._running[request.eval]
        self._waits.pop(request.eval, None)
        changes = self._plan.settle(request.eval, request.state)
        if request.state is RequestState.GREEN and self._plan.states[request.eval] is not RequestState.GREEN:
            provisional = replace(request, state=RequestState.PROVISIONAL)
            ending = replace(ending, request=provisional, verdict=RequestState.GREEN)
        return ending, changes

    async def _look_for_people(self) -> None:
        """Take in what people sign while something else goes on; what comes later begins the Run anew."""
        while True:
            await anyio.sleep(_PEOPLE_EVERY_S)
            for request in await self._writer.signed():
                self._send.send_nowait(_Signed(request))

    def _hold(self, tasks: TaskGroup | None, eval_id: str) -> None:
        """Let an eval wait for another execution, holding no job meanwhile."""
        del self._running[eval_id]
        wait_s = self._waits.get(eval_id, _FIRST_WAIT_S)
        self._waits[eval_id] = min(wait_s * 2, _LONGEST_WAIT_S)
        if tasks is not None:
            self._waiting += 1
            tasks.start_soon(self._again, eval_id, wait_s)

    async def _again(self, eval_id: str, wait_s: float) -> None:
        await anyio.sleep(wait_s)
        self._send.send_nowait(_Again(eval_id))
