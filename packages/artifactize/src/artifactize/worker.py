"""`artifactize worker`: the detached process that executes Runs. Nobody but artifactize starts it."""

from __future__ import annotations

import logging
import signal
from pathlib import Path
from typing import TYPE_CHECKING

import anyio
import click

from artifactize.service.working import WorkerLoop
from artifactize.wiring import open_workspace

if TYPE_CHECKING:
    from artifactize.service.workspace import Workspace


@click.command()
@click.option("--repo", required=True, type=click.Path(path_type=Path))
@click.option("--state-dir", required=True, type=click.Path(path_type=Path))
def worker(repo: Path, state_dir: Path) -> None:
    """Execute the Runs of one repository until there are none."""
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(process)d %(levelname)s %(message)s")
    workspace = open_workspace(repo, state_dir)
    try:
        anyio.run(_work, workspace)
    finally:
        workspace.close()


async def _work(workspace: Workspace) -> None:
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(_stop_on_signal, tasks.cancel_scope)
        await WorkerLoop(workspace).work()
        tasks.cancel_scope.cancel()


async def _stop_on_signal(scope: anyio.CancelScope) -> None:
    with anyio.open_signal_receiver(signal.SIGTERM, signal.SIGINT) as signals:
        async for _ in signals:
            logging.getLogger(__name__).info("asked to stop; the Runs stay for the next worker")
            scope.cancel()
