"""`artifactize worker`: the detached process that executes Runs. `verify` starts it; nobody has to."""

from __future__ import annotations

import logging
import os
import signal
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    import socket
    from collections.abc import Callable, Coroutine

    from anyio import CancelScope

    from artifactize.service.answering import Answering
    from artifactize.service.workspace import Workspace

_FOLDER = click.Path(path_type=Path)


@click.command()
@click.option("--repo", type=_FOLDER, help="The project.")
@click.option("--state-dir", type=_FOLDER, help="Where Runs and verdicts are kept.")
@click.option("--told", "is_told", is_flag=True, help="Read both from standard input once all is loaded.")
@click.option("--asked", "is_asked", is_flag=True, help="Take the first question from standard input.")
def worker(repo: Path | None, state_dir: Path | None, *, is_told: bool, is_asked: bool) -> None:
    """Execute the Runs of one project until there are none; verify starts this when it is needed."""
    if is_asked:
        _wait_to_be_asked()
    elif is_told:
        _wait_to_be_told()
    elif repo is None or state_dir is None:
        raise click.UsageError("a worker needs --repo and --state-dir, --told or --asked")
    else:
        _serve(repo, state_dir)


def _wait_to_be_told() -> None:
    from artifactize.service import early_worker, working  # deferred: this is what takes the time

    del working
    places = early_worker.told()
    if places is None:
        return
    repo, state_dir = places
    early_worker.log_to(state_dir / "worker.log")
    os.chdir(state_dir)
    _serve(repo, state_dir)


def _wait_to_be_asked() -> None:
    import anyio  # deferred, all: this is what takes the time

    from artifactize.service import early_worker, working

    del working
    anyio.run(_answer, early_worker.asked_at())


async def _answer(connection: socket.socket) -> None:
    """Submit what is asked, and be the worker that does it. Nothing is written if it is refused."""
    from artifactize.service import answering, early_worker  # deferred, all: as above
    from artifactize.wiring import asked_workspace

    client = answering.Client(connection)
    found = await answering.first_question(client, asked_workspace)
    if found is None:
        return
    asked, run, form = found
    early_worker.log_to(asked.state_dir / "worker.log")
    os.chdir(asked.state_dir)
    _log()
    try:
        # the same open state: a process should not open one twice
        await _work(asked.asked_by(os.environ), lambda told: told.tell_first(client, asked, run, form))
    finally:
        asked.close()


def _log() -> None:
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(process)d %(levelname)s %(message)s")


def _serve(repo: Path, state_dir: Path) -> None:
    import anyio  # deferred, both: --help stays light

    from artifactize.wiring import worker_workspace

    _log()
    workspace = worker_workspace(repo, state_dir)
    try:
        anyio.run(_work, workspace)
    finally:
        workspace.close()


async def _work(
    workspace: Workspace, first: Callable[[Answering], Coroutine[Any, Any, None]] | None = None
) -> None:
    import anyio  # deferred, both: as above

    from artifactize.service.working import WorkerLoop

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(_stop_on_signal, tasks.cancel_scope)
        loop = WorkerLoop(workspace)
        async with anyio.create_task_group() as telling:  # also where another process is the worker
            if first is not None:
                telling.start_soon(first, loop.answering)
            await loop.work()
        tasks.cancel_scope.cancel()


async def _stop_on_signal(scope: CancelScope) -> None:
    import anyio  # deferred, as above

    with anyio.open_signal_receiver(signal.SIGTERM, signal.SIGINT) as signals:
        async for _ in signals:
            logging.getLogger(__name__).info("asked to stop; the Runs stay for the next worker")
            scope.cancel()
