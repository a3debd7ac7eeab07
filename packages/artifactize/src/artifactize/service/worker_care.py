"""Seeing to it that a Run has a living worker."""

from __future__ import annotations

import logging
import shutil
from typing import TYPE_CHECKING

from artifactize.errors import WorkerFailedError
from artifactize.store import owners, runs
from oskit.clock import monotonic
from oskit.process import ProcessError, ProcessIdentity, kill_tree

if TYPE_CHECKING:
    from pathlib import Path

    from artifactize.models.stored import Worker
    from artifactize.service.workspace import Workspace

BEAT_EVERY_S = 2.0
HUNG_AFTER_S = 60.0
"""A worker that missed thirty heartbeats is ended, and its Runs are resumed by another."""

MAX_STARTS = 5
"""Starts by one observer: one more than it takes to find that an eval ends every worker that runs it."""

_LEAST_FREE = 1024 * 1024

logger = logging.getLogger(__name__)


class WorkerCare:
    """Looks after the worker for one observer, which calls `check` now and then while it waits."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._starts = 0

    def check(self) -> None:
        """Start a worker when there is none, ending a hung one first. Raises WorkerFailedError.

        None is started while only people are waited for: they need none to take their time.
        """
        with self._workspace.store().read() as connection:
            found = owners.worker(connection, self._workspace.repository)
            if found is not None and is_working(found):
                return
            if runs.is_left_to_people(connection, self._workspace.repository):
                return
        started = self._workspace.started
        if started is not None and started.is_alive() and str(started) != _owner(found):
            return  # it is on its way
        if found is not None:
            end_remains(found)
        self._start()

    def _start(self) -> None:
        log = self._workspace.state_dir / "worker.log"
        if self._starts >= MAX_STARTS:
            raise self._given_up(log)
        self._starts += 1
        try:
            self._workspace.started = self._workspace.start_worker(self._workspace)
        except ProcessError as failure:
            raise WorkerFailedError(
                f"no worker could be started: {failure.message}", hint=failure.hint
            ) from failure

    def _given_up(self, log: Path) -> WorkerFailedError:
        message = f"{MAX_STARTS} workers ended without finishing the Run"
        if shutil.disk_usage(self._workspace.state_dir).free < _LEAST_FREE:  # then the log is silent, too
            place = self._workspace.state_dir
            return WorkerFailedError(
                f"{message}: hardly any space is left at {place}",
                hint="free some space; nothing recorded was lost, and the next look resumes the Run",
            )
        return WorkerFailedError(message, hint=f"see {log}")


def _owner(found: Worker | None) -> str | None:
    return None if found is None else found.owner


def is_working(found: Worker) -> bool:
    """Whether a worker's process lives and its heart beats.

    The clock is the machine's monotonic one, which all processes share and no time correction moves; after
    a reboot the process is gone, whatever the clock says.
    """
    return ProcessIdentity.parse(found.owner).is_alive() and monotonic() - found.beat < HUNG_AFTER_S


def end_remains(found: Worker) -> None:
    """End a hung worker, or what a dead one left running: its commands answer to nobody any more."""
    ended = kill_tree(ProcessIdentity.parse(found.owner))
    if ended:
        logger.info("ended %d processes of the former worker %s", ended, found.owner)
