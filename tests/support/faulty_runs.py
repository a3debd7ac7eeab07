"""Kills a worker at each point of a Run in turn, has another one finish the Run, and reports what was left.

`python -m support.faulty_runs PROJECT FOLDER` prints a JSON line for each point: every write to the state, before
and after its commit, and every execution, before it, when its process has just started, and after it. A process
of its own, which forks for each point, so that the imports are paid once.
"""

from __future__ import annotations

import contextlib
import itertools
import json
import os
import signal
import sqlite3
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn
from unittest import mock

import anyio

from artifactize.domain.selection import ALL
from artifactize.execution.local import LocalExecutor
from artifactize.service import working
from artifactize.service.submitting import Submission, submit
from artifactize.store.database import Store
from artifactize.wiring import open_workspace, worker_workspace
from oskit.process import _supervise

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Iterator

    import sqlalchemy as sa

MOST_POINTS = 200


class Points:
    """Counts the points that are passed, and kills this process at the one that is asked for."""

    def __init__(self, deadly: int | None) -> None:
        self._deadly = deadly
        self._passed = 0

    def __call__(self) -> None:
        """Pass one point."""
        self._passed += 1
        if self._passed == self._deadly:
            os.kill(os.getpid(), signal.SIGKILL)


def arm(points: Points) -> None:
    """Have every write and every execution pass points."""
    write, execute, start = Store.write, LocalExecutor.execute, vars(_supervise)["start"]

    @contextlib.contextmanager
    def counted_write(store: Store) -> Iterator[sa.Connection]:
        with write(store) as connection:
            yield connection
            points()
        points()

    async def counted_execute(executor: LocalExecutor, job: Any) -> Any:
        points()
        found = await execute(executor, job)
        points()
        return found

    def counted_start(*args: Any, **kwargs: Any) -> Any:
        child = start(*args, **kwargs)
        points()
        return child

    # for the rest of this forked process
    mock.patch.object(Store, "write", counted_write).start()
    mock.patch.object(LocalExecutor, "execute", counted_execute).start()
    mock.patch.object(_supervise, "start", counted_start).start()


def work(project: Path, state: Path, deadly: int | None) -> None:
    """Be a worker until there is nothing to do, or until the deadly point."""
    working.IDLE_AFTER_S = 0.0
    arm(Points(deadly))
    workspace = worker_workspace(project, state)
    anyio.run(working.WorkerLoop(workspace).work)
    workspace.close()


def submit_all(project: Path, state: Path) -> None:
    """Submit a Run of everything."""
    workspace = open_workspace(project, state)
    asked: Callable[..., Coroutine[Any, Any, Any]] = submit
    anyio.run(asked, workspace, Submission(selection=ALL))
    workspace.close()


def in_child(function: Callable[..., None], *arguments: Any) -> int:
    """Call a function in a forked child, and return how that ended (negative: the signal)."""
    pid = os.fork()
    if pid == 0:
        _call_and_leave(function, *arguments)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


def _call_and_leave(function: Callable[..., None], *arguments: Any) -> NoReturn:
    code = 1
    try:
        function(*arguments)
        code = 0
    finally:
        os._exit(code)


def look(state: Path, log: Path) -> dict[str, Any]:
    """Return what is saved, and which evals were executed how often."""
    with contextlib.closing(sqlite3.connect(state / "artifactize.db")) as connection:
        found = {
            "run": connection.execute("SELECT state, outcome FROM runs").fetchall(),
            "records": connection.execute("SELECT sequence, key, eval, verdict FROM records").fetchall(),
            "requests": connection.execute("SELECT eval, state FROM requests ORDER BY position").fetchall(),
            "claims": connection.execute("SELECT count(*) FROM claims").fetchone()[0],
        }
    found["executed"] = log.read_text().split() if log.exists() else []
    return found


def main() -> None:
    """Go through the points until a worker passes all of them."""
    project, folder = Path(sys.argv[1]), Path(sys.argv[2])
    log = folder / "log"
    for point in itertools.count(1):
        assert point < MOST_POINTS, "the Run has no end"
        log.unlink(missing_ok=True)
        state = folder / f"state-{point}"
        assert in_child(submit_all, project, state) == 0
        ended = in_child(work, project, state, point)
        killed = look(state, log)
        code = in_child(work, project, state, None) if ended else 0
        found = {"point": point, "ended": ended, "code": code, "killed": killed, "resumed": look(state, log)}
        sys.stdout.write(json.dumps(found) + "\n")
        if not ended:
            return


if __name__ == "__main__":
    main()
