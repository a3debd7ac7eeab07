"""`artifactize worker`: the detached process that executes Runs. `verify` starts it; nobody has to."""

from __future__ import annotations

import logging
import os
import signal
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from anyio import CancelScope

    from artifactize.service.workspace import Workspace

_FOLDER = click.Path(path_type=Path)


@click.command()
@click.option("--repo", type=_FOLDER, help="The project.")
@click.option("--state-dir", type=_FOLDER, help="Where Runs and verdicts are kept.")
@click.option("--told", "is_told", is_flag=True, help="Read both from standard input once all is loaded.")
def worker(repo: Path | None, state_dir: Path | None, *, is_told: bool) -> None:
    """Execute the Runs of one project until there are none; verify starts this when it is needed."""
    if is_told:
        _wait_to_be_told()
    elif repo is None or state_dir is None:
        raise click.UsageError("a worker needs --repo and --state-dir, or --told")
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


def _serve(repo: Path, state_dir: Path) -> None:
    import anyio  # deferred, both: --help stays light

    from artifactize.wiring import worker_workspace

    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(process)d %(levelname)s %(message)s")
    workspace = worker_workspace(repo, state_dir)
    try:
        anyio.run(_work, workspace)
    finally:
        workspace.close()


async def _work(workspace: Workspace) -> None:
    import anyio  # deferred, both: as above

    from artifactize.service.working import WorkerLoop

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(_stop_on_signal, tasks.cancel_scope)
        await WorkerLoop(workspace).work()
        tasks.cancel_scope.cancel()


async def _stop_on_signal(scope: CancelScope) -> None:
    import anyio  # deferred, as above

    with anyio.open_signal_receiver(signal.SIGTERM, signal.SIGINT) as signals:
        async for _ in signals:
            logging.getLogger(__name__).info("asked to stop; the Runs stay for the next worker")
            scope.cancel()
