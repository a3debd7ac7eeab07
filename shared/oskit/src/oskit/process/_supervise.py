"""Running a program under supervision: bounded in time and memory, and nothing of it stays behind."""

from __future__ import annotations

import contextlib
import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

import anyio

from oskit.clock import monotonic
from oskit.process import _lineage as lineage
from oskit.process._environment import clean_environment
from oskit.process._mark import Mark
from oskit.process._reaper import collect_later
from oskit.process._start import Argument, Child, Command, start
from oskit.process._streams import Plan, Streams
from oskit.process._tree import Tree

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Mapping, Sequence
    from pathlib import Path

CAPTURE_LIMIT = 8 * 1024 * 1024
"""How many bytes of each stream are kept unless the caller says otherwise."""

_DRAIN_BOUND_S = 1.0
_LONGEST_POLL_S = 0.05


@dataclass(frozen=True, kw_only=True)
class Completed:
    """How a program ended, and the beginning of what it printed.

    `returncode` is negative for a signal and None when the system lost it. `stdout` and `stderr` hold at
    most the capture limit, and nothing when they went to a file; the totals say how many bytes there
    were. `duration_s` ends with the program itself, or with its deadline.
    """

    argv: tuple[str, ...]
    returncode: int | None
    stdout: bytes
    stderr: bytes
    stdout_total: int
    stderr_total: int
    timed_out: bool
    duration_s: float

    @property
    def ok(self) -> bool:
        """Whether it ended by itself, in time, with status 0."""
        return self.returncode == 0 and not self.timed_out


class Supervised:
    """A program in the care of `supervise`."""

    def __init__(self, command: Command, child: Child, streams: Streams) -> None:
        self.argv = command.argv
        self.identity = child.identity
        self._child = child
        self._streams = streams

    @property
    def exited(self) -> bool:
        """Whether the program itself has exited; what it started may still run."""
        return self._child.has_exited()

    @property
    def returncode(self) -> int | None:
        """Its status once `supervise` was left; None before, and when the system lost it."""
        return self._child.returncode

    @property
    def stdout(self) -> bytes:
        """The beginning of its output so far."""
        return bytes(self._streams.stdout)

    @property
    def stderr(self) -> bytes:
        """The beginning of its error output so far."""
        return bytes(self._streams.stderr)

    @property
    def totals(self) -> tuple[int, int]:
        """Bytes of output and error output so far; of files, once `supervise` was left."""
        return self._streams.stdout.total, self._streams.stderr.total

    async def wait(self) -> None:
        """Return when the program itself has exited. Cancelling this leaves the program alone."""
        await _wait_for_exit(self._child)


@contextlib.asynccontextmanager
async def supervise(  # noqa: PLR0913 - the options of one program, all but the first named
    argv: Sequence[Argument],
    *,
    cwd: Path | None = None,
    env: Mapping[str, str] | None = None,
    input: bytes | None = None,  # noqa: A002 - named as in subprocess.run
    capture_limit: int = CAPTURE_LIMIT,
    stdout_to: Path | None = None,
    stderr_to: Path | None = None,
    grace_s: float = 1.0,
) -> AsyncIterator[Supervised]:
    """Run a program while the block runs; leaving it in whatever way ends the program with all its kin.

    For programs that serve, such as a development server; `run` is for programs that finish. Ending is
    SIGTERM, then SIGKILL after `grace_s`, and takes at most a few seconds, also while being cancelled.
    Raises ProcessError.
    """
    environment = clean_environment() if env is None else dict(env)
    command = Command.of(argv, cwd=cwd, env=environment)
    plan = Plan(data=input, stdout_to=stdout_to, stderr_to=stderr_to, capture_limit=capture_limit)
    failure: Exception | None = None
    with Streams(plan) as streams:
        child, mark = _start(command, streams)
        async with anyio.create_task_group() as tasks:
            streams.connect(tasks)
            try:
                yield Supervised(command, child, streams)
            except Exception as exc:  # noqa: BLE001 - raised below; here the task group would wrap it
                failure = exc
            finally:
                with anyio.CancelScope(shield=True):
                    await _end(child, mark, grace_s)
            # Whoever still holds our pipes is none of ours: read what is there, then stop listening.
            tasks.cancel_scope.deadline = anyio.current_time() + _DRAIN_BOUND_S
        streams.measure()
    if failure is not None:
        raise failure


async def run(  # noqa: PLR0913 - see supervise
    argv: Sequence[Argument],
    *,
    deadline_s: float | None,
    cwd: Path | None = None,
    env: Mapping[str, str] | None = None,
    input: bytes | None = None,  # noqa: A002 - named as in subprocess.run
    capture_limit: int = CAPTURE_LIMIT,
    stdout_to: Path | None = None,
    stderr_to: Path | None = None,
    grace_s: float = 1.0,
) -> Completed:
    """Run a program to its end and return how it ended; a failing program is a result, not an exception.

    No shell, a session of its own, the environment `env` (default: `clean_environment()`), standard
    input empty or `input`. After `deadline_s` seconds (None: never), on cancellation and when the
    program itself has exited, whatever descends from it is ended: SIGTERM, then SIGKILL after `grace_s`.
    Output beyond `capture_limit` bytes a stream is read and dropped; `stdout_to` and `stderr_to` send it
    to new files (mode 0600, may be the same) instead.

    Raises ProgramMissingError or StartError, never OSError.
    """
    began = monotonic()
    async with supervise(
        argv,
        cwd=cwd,
        env=env,
        input=input,
        capture_limit=capture_limit,
        stdout_to=stdout_to,
        stderr_to=stderr_to,
        grace_s=grace_s,
    ) as process:
        with anyio.move_on_after(deadline_s):
            await process.wait()
        timed_out = not process.exited
        duration_s = monotonic() - began
    stdout_total, stderr_total = process.totals
    return Completed(
        argv=process.argv,
        returncode=process.returncode,
        stdout=process.stdout,
        stderr=process.stderr,
        stdout_total=stdout_total,
        stderr_total=stderr_total,
        timed_out=timed_out,
        duration_s=duration_s,
    )


def _start(command: Command, streams: Streams) -> tuple[Child, Mark]:
    lineage.adopt_orphans()  # before there can be any
    mark = Mark.new()
    stdin, stdout, stderr = streams.open()
    with mark.inherited():
        child = start(command.marked(mark), stdin=stdin, stdout=stdout, stderr=stderr)
    streams.release()
    return child, mark


async def _end(child: Child, mark: Mark, grace_s: float) -> None:
    exited = child.has_exited()
    tree = Tree(child.identity, mark=mark, pinned=not child.collected)
    if not exited or tree.left_behind():
        for wait_s in tree.end(grace_s):
            await anyio.sleep(wait_s)
    if not child.collect(block=False):
        collect_later(child)  # not even SIGKILL ended it yet


async def _wait_for_exit(child: Child) -> None:
    wait_s = 0.001
    while not child.has_exited():
        if hasattr(os, "pidfd_open"):
            await _wait_readable(os.pidfd_open(child.identity.pid))
        else:
            await anyio.sleep(wait_s)
            wait_s = min(wait_s * 2, _LONGEST_POLL_S)


async def _wait_readable(descriptor: int) -> None:
    try:
        await anyio.wait_readable(descriptor)
    finally:
        os.close(descriptor)
