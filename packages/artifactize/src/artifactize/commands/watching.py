"""Watching a Run from a terminal, a pipe or a log."""

from __future__ import annotations

import asyncio
import signal
import sys
from contextlib import asynccontextmanager
from enum import Enum, auto
from typing import TYPE_CHECKING, Self

import anyio
import click

from artifactize.commands.drawing import drawn
from artifactize.domain.selection import ALL
from artifactize.models.states import RunState
from artifactize.models.verification import (
    EvalResult,
    VerifyCancelRequest,
    VerifyResult,
)
from artifactize.render.results import eval_line
from artifactize.service.remembering import remember
from artifactize.service.submitting import Submission
from artifactize.service.verification import Verification, watch
from mcpkit.canonical import compact_json
from oskit.terminal import Terminal

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from artifactize.models.verification import WatchEvent
    from artifactize.service.verification import Tell
    from artifactize.service.workspace import Workspace

SECOND_INTERRUPT_S = 2.0
_ERROR_EXIT = 2
_TIMED_OUT = 3
_MS = 1000
_INTERRUPTED = 128 + signal.SIGINT


class Mode(Enum):
    """How what happens is told: JSON events, not at all, a redrawn table, plain lines."""

    EVENTS = auto()
    SILENT = auto()
    LIVE = auto()
    LINES = auto()

    @classmethod
    def of(cls, *, as_events: bool, as_json: bool) -> Mode:
        """Return the mode for the streams we have."""
        if as_events:
            return cls.EVENTS
        if as_json:
            return cls.SILENT
        both = Terminal.detect(sys.stdout).live and Terminal.detect(sys.stderr).live
        return cls.LIVE if both else cls.LINES


def verify_exit_code(result: VerifyResult) -> int:
    """Return the exit code of a Run's outcome."""
    return _ERROR_EXIT if result.exit_code is None else result.exit_code


class Watching:
    """Submits or takes up a Run, tells what happens, and returns its result."""

    def __init__(
        self,
        workspace: Callable[[], Workspace],
        mode: Mode,
        *,
        timeout_ms: int | None = None,
        told: frozenset[str] = frozenset(),
    ) -> None:
        """Lines in `told` were printed before."""
        self._workspace = workspace
        self._told = told
        self._seconds = None if timeout_ms is None else timeout_ms / _MS
        self.mode = mode

    def exit_code(self, result: VerifyResult) -> int:
        """Return the exit code of a Run's outcome, or that of a time that was over before it."""
        return _TIMED_OUT if result.state is not RunState.FINISHED else verify_exit_code(result)

    async def verify(self, submission: Submission) -> VerifyResult:
        """Submit a Run and watch it to its end."""
        status = await Verification(self._workspace).submit(submission)
        if status.note is not None:
            click.echo(f"note: {status.note}", err=True)
        was_over = status.state is RunState.FINISHED and submission == Submission(selection=ALL)
        if status.state is RunState.FINISHED and self.mode is Mode.LIVE:
            self.mode = Mode.SILENT  # there is nothing to watch: everything was reused
        result = await self.watch(status.run_id)
        if was_over:
            await remember(self._workspace(), self._workspace().environment)
        return result

    async def watch(self, run_id: str) -> VerifyResult:
        """Watch a Run to its end. Ctrl-C ends the watching only; a second one cancels the Run."""
        with _Interrupts() as interrupts:
            with interrupts.first:
                async with self._teller() as tell:
                    result = await watch(self._workspace(), run_id, tell, seconds=self._seconds)
                if result.state is not RunState.FINISHED:
                    click.echo(f"the time is over; Run {run_id} goes on", err=True)
                    click.echo(f"hint: {self._again(run_id)}", err=True)
                return result
            click.echo(
                f"\nstopped watching; Run {run_id} goes on "
                f"(Ctrl-C again within {SECOND_INTERRUPT_S:g} s cancels it)\n"
                f"hint: {self._again(run_id)}",
                err=True,
            )
            with anyio.move_on_after(SECOND_INTERRUPT_S):
                await interrupts.second.wait()
            if interrupts.second.is_set():
                click.echo(f"cancelling Run {run_id}", err=True)
                ended = await Verification(self._workspace).verify_cancel(VerifyCancelRequest(run_id=run_id))
                click.echo(f"Run {run_id}: {ended.outcome or ended.state}", err=True)
        # not KeyboardInterrupt, which would be told a second time: what has to be said was said
        raise SystemExit(_INTERRUPTED)

    def _again(self, run_id: str) -> str:
        """How to go on watching and see the same: JSON lines or words."""
        words = "" if self.mode is Mode.EVENTS else "--text "
        return f"artifactize run watch {words}{run_id}"

    @asynccontextmanager
    async def _teller(self) -> AsyncIterator[Tell]:
        if self.mode is not Mode.LIVE:
            yield self._tell_event if self.mode is Mode.EVENTS else self._tell_line
            return
        with drawn(sys.stderr) as tell:
            yield tell

    async def _tell_line(self, event: WatchEvent) -> None:
        if self.mode is Mode.LINES and isinstance(event.data, EvalResult):
            self._print(eval_line(event.data))

    async def _tell_event(self, event: WatchEvent) -> None:
        self._print(compact_json(event))

    def _print(self, line: str) -> None:
        if line not in self._told:
            click.echo(line)


class _Interrupts:
    """Takes Ctrl-C while it is entered: the first cancels the scope `first`, the next sets `second`."""

    def __init__(self) -> None:
        self.first = anyio.CancelScope()
        self.second = anyio.Event()

    def __enter__(self) -> Self:
        # not anyio's signal receiver: it needs a task of its own, whose group would wrap every error
        asyncio.get_running_loop().add_signal_handler(signal.SIGINT, self._take)
        return self

    def __exit__(self, *_: object) -> None:
        asyncio.get_running_loop().remove_signal_handler(signal.SIGINT)

    def _take(self) -> None:
        if self.first.cancel_called:
            self.second.set()
        self.first.cancel()
