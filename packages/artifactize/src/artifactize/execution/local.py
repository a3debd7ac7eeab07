"""Executing on this machine."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import anyio
from anyio import to_thread

from artifactize.domain.cleaning import AUDIT_BYTES, clean
from artifactize.domain.verdicts import error, of_exit
from artifactize.execution.environment import make_private, remove_private
from artifactize.execution.executor import Execution, Stream
from oskit.files import StorageError
from oskit.process import ProcessError, run

if TYPE_CHECKING:
    from pathlib import Path

    from artifactize.execution.executor import Job
    from oskit.process import Completed

_NOTHING = Stream("", 0)
_MS = 1000
MOST_AT_ONCE = 64


class LocalExecutor:
    """Runs jobs as processes of this machine, each in its own session (spec 40, section 6).

    At most `MOST_AT_ONCE` run at a time, since each needs descriptors and memory; the others wait their turn.
    """

    def __init__(self) -> None:
        self._slots = anyio.CapacityLimiter(MOST_AT_ONCE)

    async def execute(self, job: Job) -> Execution:
        """Run one job to its end; cancelling it ends every process it started within two seconds."""
        try:
            async with self._slots:
                completed = await _run(job)
        except ProcessError as failure:
            return _unstarted("PROGRAM_MISSING", failure.message)
        except StorageError as failure:
            return _unstarted("STORAGE", failure.message)
        verdict = of_exit(job.profile, returncode=completed.returncode, timed_out=completed.timed_out)
        streams = await to_thread.run_sync(_streams, job.output, completed)
        return Execution(verdict, completed.returncode, round(completed.duration_s * _MS), *streams)


async def _run(job: Job) -> Completed:
    private = job.output / "private"
    make = partial(make_private, private, job.environment, job.declared_env)
    try:
        return await run(
            job.argv,
            cwd=job.cwd,
            env=await to_thread.run_sync(make),
            deadline_s=job.profile.timeout_ms / _MS,
            stdout_to=job.output / "stdout",
            stderr_to=job.output / "stderr",
        )
    finally:
        with anyio.CancelScope(shield=True):
            await to_thread.run_sync(remove_private, private)


def _streams(output: Path, completed: Completed) -> tuple[Stream, Stream]:
    stdout = _stream(output / "stdout", completed.stdout_total)
    return stdout, _stream(output / "stderr", completed.stderr_total)


def _stream(file: Path, total: int) -> Stream:
    with file.open("rb") as output:
        return Stream(clean(output.read(AUDIT_BYTES)), total)


def _unstarted(code: str, message: str) -> Execution:
    return Execution(error(code, message), None, 0, _NOTHING, _NOTHING)
