"""Executing on this machine."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import anyio
from anyio import to_thread

from artifactize.domain.cleaning import AUDIT_BYTES, clean
from artifactize.domain.verdicts import error, of_exit
from artifactize.execution.executor import Execution, Stream, output_file
from artifactize.execution.private_folders import PrivateFolders, remove_private_folders
from oskit.files import StorageError
from oskit.process import ProcessError, run

if TYPE_CHECKING:
    from pathlib import Path

    from artifactize.execution.executor import Job
    from oskit.process import Completed

_NOTHING = Stream("", 0)
_MS = 1000
_SMALL = 4096
MOST_AT_ONCE = 64


class LocalExecutor:
    """Runs jobs as processes of this machine, each in its own session (spec 40, section 6).

    At most `MOST_AT_ONCE` run at a time, since each needs descriptors and memory; the others wait their turn.
    """

    def __init__(self) -> None:
        self._slots = anyio.CapacityLimiter(MOST_AT_ONCE)
        self._private: dict[Path, PrivateFolders] = {}

    async def execute(self, job: Job) -> Execution:
        """Run one job to its end; cancelling it ends every process it started within two seconds."""
        try:
            async with self._slots:
                completed = await self._run(job)
        except ProcessError as failure:
            return _unstarted("PROGRAM_MISSING", failure.message)
        except StorageError as failure:
            return _unstarted("STORAGE", failure.message)
        verdict = of_exit(job.profile, returncode=completed.returncode, timed_out=completed.timed_out)
        stdout = await _stream(job, "stdout", completed.stdout_total)
        stderr = await _stream(job, "stderr", completed.stderr_total)
        return Execution(verdict, completed.returncode, round(completed.duration_s * _MS), stdout, stderr)

    async def tidy(self, folder: Path) -> None:
        """Remove the private folders of a Run."""
        self._private.pop(folder, None)
        await to_thread.run_sync(remove_private_folders, folder)

    async def _run(self, job: Job) -> Completed:
        folders = self._private.setdefault(job.folder, PrivateFolders(job.folder))
        private = folders.take()
        try:
            return await run(
                job.argv,
                cwd=job.cwd,
                env=private.environment(job.environment, job.declared_env),
                deadline_s=job.profile.timeout_ms / _MS,
                stdout_to=output_file(job.folder, job.name, "stdout"),
                stderr_to=output_file(job.folder, job.name, "stderr"),
            )
        finally:
            if private.is_untouched():  # as a rule, and cheaper than a thread
                folders.give_back(private)
            else:
                with anyio.CancelScope(shield=True):
                    await to_thread.run_sync(partial(folders.give_back, private))


async def _stream(job: Job, name: str, total: int) -> Stream:
    if total == 0:
        return _NOTHING
    file = output_file(job.folder, job.name, name)
    if total <= _SMALL:
        return Stream(_audit(file), total)
    return Stream(await to_thread.run_sync(_audit, file), total)


def _audit(file: Path) -> str:
    with file.open("rb") as output:
        return clean(output.read(AUDIT_BYTES))


def _unstarted(code: str, message: str) -> Execution:
    return Execution(error(code, message), None, 0, _NOTHING, _NOTHING, started=False)
