"""Retention: old Runs and their output go, verdicts stay."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

from artifactize.domain.durations import parse_duration
from artifactize.models.pruning import PruneResult
from artifactize.store import pruning
from oskit.clock import now, rfc3339

if TYPE_CHECKING:
    from pathlib import Path

    from artifactize.models.pruning import PruneRequest
    from artifactize.service.workspace import Workspace


def prune(workspace: Workspace, request: PruneRequest) -> PruneResult:
    """Remove what a request permits; folders of output that belong to no Run go, too. Raises StateError."""
    store = workspace.existing_store()
    if store is None:
        return PruneResult(dry_run=request.dry_run, runs=0, kept=0, outputs=0, output_bytes=0)
    before = rfc3339(now() - parse_duration(request.older_than))
    with store.read() as connection:
        old = pruning.finished_before(connection, workspace.repository, before, keep_last=request.keep_last)
        needed = pruning.needed(connection)
    unneeded = [run_id for run_id in old if run_id not in needed]
    folders = _folders(workspace, old)
    size = sum(_size(folder) for folder in folders)
    if not request.dry_run:
        with store.write() as connection:  # needed by nothing still: what is needed only grows by new Runs
            still = pruning.needed(connection)
            pruning.remove(connection, [run_id for run_id in unneeded if run_id not in still])
        present = _present(workspace)  # before the Runs are read: a folder is younger than its Run
        with store.read() as connection:
            known = pruning.all_runs(connection)
        stray = [folder for folder in present if folder.name not in known]  # a killed `prune` leaves them
        for folder in [*folders, *stray]:
            shutil.rmtree(folder, ignore_errors=True)
    return PruneResult(
        dry_run=request.dry_run,
        runs=len(unneeded),
        kept=len(old) - len(unneeded),
        outputs=len(folders),
        output_bytes=size,
    )


def _folders(workspace: Workspace, run_ids: list[str]) -> list[Path]:
    return [folder for run_id in run_ids if (folder := workspace.run_dir(run_id)).is_dir()]


def _present(workspace: Workspace) -> list[Path]:
    place = workspace.state_dir / "runs"
    return list(place.iterdir()) if place.is_dir() else []


def _size(folder: Path) -> int:
    return sum(file.lstat().st_size for file in folder.rglob("*") if file.is_file())
