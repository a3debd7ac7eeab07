"""`artifactize worker`: the detached process that executes Runs. `verify` starts it; nobody has to."""

from __future__ import annotations

import logging
import signal
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from anyio import CancelScope

    from artifactize.service.workspace import Workspace

_FOLDER = click.Path(path_type=Path)


@click.command()
@click.option("--repo", required=True, type=_FOLDER, help="The project.")
@click.option("--state-dir", required=True, type=_FOLDER, help="Where Runs and verdicts are kept.")
def worker(repo: Path, state_dir: Path) -> None:
    """Execute the Runs of one project until there are none; verify starts this when it is needed."""
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
