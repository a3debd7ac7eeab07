"""Temporary folders of runs, and what runs that were killed left: their programs and their folders.

A folder is named `prview-<pid>-<digest>-<random>` after the process that owns it, so that it is known as dead
also when the run's marker is gone (see `oskit.scratch`); the file `OWNER` in it has the whole identity, which
ends its programs.
"""

from __future__ import annotations

import contextlib
import os
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

from oskit.process import ProcessIdentity, kill_tree
from oskit.scratch import abandoned, digest, is_owned, make_folder
from prview.store.home import PARTIAL
from prview.store.runs import STALE, StoredRun

if TYPE_CHECKING:
    from collections.abc import Iterator

    from prview.store.home import BranchRuns, Home

KIND = "prview"
OWNER = "OWNER"
_GRACE_S = 0.5


def make_scratch() -> Path:
    """Make a private temporary folder. Its path is short: names of sockets have a limit."""
    folder = make_folder(KIND).resolve()
    (folder / OWNER).write_text(str(ProcessIdentity.current()), encoding="ascii")
    return folder


def remove_scratch(run: StoredRun) -> None:
    """End what a dead run left running and remove its folder, when that is named like ours, and ours."""
    if run.running and run.running.scratch:
        _clear(Path(run.running.scratch), run.running.process)


def sweep(home: Home) -> None:
    """Clear up after every run that died: of any branch, and in the temporary folder also without a marker.

    Blocks for as long as programs take to end, a few seconds at most. What a living run has is not touched.
    """
    for run in _unpublished(home):
        if run.status == STALE:
            remove_scratch(run)
    for folder in abandoned(KIND):
        _clear(folder, _owner(folder))


def _unpublished(home: Home) -> Iterator[StoredRun]:
    for repository in home.repositories():
        for branch in repository.branches():
            yield from _partial(branch)


def _partial(branch: BranchRuns) -> Iterator[StoredRun]:
    with contextlib.suppress(OSError):
        for entry in os.scandir(branch.folder):
            if entry.name.endswith(PARTIAL) and entry.is_dir(follow_symlinks=False):
                yield StoredRun(run_id=entry.name.removesuffix(PARTIAL), folder=Path(entry.path))


def _clear(folder: Path, process: str) -> None:
    """End everything that the dead `process` started, then remove its folder.

    Only while the folder is there: later, its number may be another's.
    """
    if not folder.name.startswith(f"{KIND}-") or folder.is_symlink() or is_owned(folder.name):
        return
    with contextlib.suppress(OSError):
        if folder.stat().st_uid == os.geteuid() and _ended(process):
            shutil.rmtree(folder, ignore_errors=True)


def _ended(process: str) -> bool:
    """End what a dead process left; False, and nothing is done, when it lives."""
    try:
        owner = ProcessIdentity.parse(process)
    except ValueError:
        return True  # killed before it could say who it is, so before it started anything
    if owner.is_alive():
        return False
    if _boot(owner) == _boot(ProcessIdentity.current()):
        kill_tree(owner, grace_s=_GRACE_S)
    return True


def _boot(process: ProcessIdentity) -> str:
    """What start times count from; nothing outlives it, and numbers begin anew."""
    return process.start_time.rpartition(":")[0]


def _owner(folder: Path) -> str:
    """The identity in the folder, when it is the one that the folder is named after."""
    try:
        text = (folder / OWNER).read_text(encoding="ascii")
        return text if digest(ProcessIdentity.parse(text)) in folder.name else ""
    except (OSError, ValueError):
        return ""
