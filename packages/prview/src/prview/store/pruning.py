"""Removing runs: out of sight by one rename, then from the disk."""

from __future__ import annotations

import contextlib
import shutil
from typing import TYPE_CHECKING

from oskit.clock import now
from oskit.files import translated
from prview.domain.retention import Candidate, to_remove
from prview.store.home import entries_of
from prview.store.run_folder import NEW, forget_id
from prview.store.runs import COMPLETED, IN_PROGRESS, StoredRun, list_runs
from prview.store.scratch import remove_scratch

if TYPE_CHECKING:
    import os
    from datetime import timedelta
    from pathlib import Path

    from prview.store.home import BranchRuns

_REMOVED = ".removed-"
_FRESH_S = 3600.0
"""Seconds for which a run without a pack is left alone: it may be about to say who works on it."""


def removable(branch: BranchRuns, *, keep: int | None, older_than: timedelta | None) -> tuple[StoredRun, ...]:
    """The runs of a branch that retention lets go; see `to_remove` for the rules."""
    runs = list_runs(branch)
    chosen = to_remove([_candidate(run) for run in runs], keep=keep, older_than=older_than, now=now())
    gone = {candidate.run_id for candidate in chosen}
    return tuple(run for run in runs if run.run_id in gone)


def remove(branch: BranchRuns, run: StoredRun) -> bool:
    """Remove a run and say whether it went: not one that was taken up or published meanwhile."""
    if _active(StoredRun(run_id=run.run_id, folder=run.folder)):
        return False
    remove_scratch(run)
    hidden = branch.folder / f"{_REMOVED}{run.folder.name}"
    with translated(run.folder, "remove"):
        try:
            run.folder.rename(hidden)
        except FileNotFoundError:
            return False
        shutil.rmtree(hidden)
    forget_id(branch, run.run_id)
    return True


def sweep_removed(branch: BranchRuns) -> None:
    """Finish removals that were interrupted, and drop runs that were while they were made."""
    for entry in entries_of(branch.folder):
        with contextlib.suppress(OSError):
            if entry.is_dir(follow_symlinks=False) and _left_over(entry):
                shutil.rmtree(entry.path, ignore_errors=True)


def _left_over(entry: os.DirEntry[str]) -> bool:
    if entry.name.startswith(_REMOVED):
        return True
    return entry.name.startswith(NEW) and now().timestamp() - entry.stat().st_mtime > _FRESH_S


def size_of(folder: Path) -> int:
    """Bytes of the files in a folder; what vanishes meanwhile counts nothing."""
    total = 0
    for path in folder.rglob("*"):
        with contextlib.suppress(OSError):
            total += path.lstat().st_size if path.is_file() and not path.is_symlink() else 0
    return total


def _candidate(run: StoredRun) -> Candidate:
    return Candidate(run.run_id, completed=run.status == COMPLETED, active=_active(run))


def _active(run: StoredRun) -> bool:
    if not run.partial:
        return False
    if run.status == IN_PROGRESS:
        return True
    try:
        age = now().timestamp() - run.folder.stat().st_mtime
    except OSError:
        return False
    return run.failure is None and age < _FRESH_S
