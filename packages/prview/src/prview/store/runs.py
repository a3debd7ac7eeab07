"""Finding runs and telling what became of them. The folders are the truth; `index.jsonl` only caches them."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from oskit.process import ProcessIdentity
from prview.domain.keys import is_run_id
from prview.errors import StorageCorruptError
from prview.models.records import Failed, Running, RunRecord
from prview.store.documents import read_document
from prview.store.home import PARTIAL, entries_of
from prview.store.paths import FAILED, RUN, RUNNING, SANITY

if TYPE_CHECKING:
    import os
    from collections.abc import Iterator

    from prview.store.home import BranchRuns, RepositoryRuns

COMPLETED, IN_PROGRESS, STALE, FAILED_RUN = "completed", "in_progress", "stale", "failed"
_STAMP = len("YYYYMMDD-HHMMSS")


@dataclass(frozen=True)
class StoredRun:
    """One run as it is on disk right now."""

    run_id: str
    folder: Path

    @property
    def partial(self) -> bool:
        """Whether the run has no published pack."""
        return self.folder.name.endswith(PARTIAL)

    @cached_property
    def record(self) -> RunRecord | None:
        """RUN.json, when it can be read."""
        return read_document(self.folder / RUN, RunRecord)

    @cached_property
    def running(self) -> Running | None:
        """RUNNING.json of a run that is not published."""
        return read_document(self.folder / RUNNING, Running) if self.partial else None

    @cached_property
    def failure(self) -> Failed | None:
        """FAILED.json, when the run said why it ended."""
        return read_document(self.folder / FAILED, Failed) if self.partial else None

    @cached_property
    def status(self) -> str:
        """One of completed (sealed), in_progress (its process lives), stale (it died), failed."""
        if not self.partial:
            return COMPLETED if (self.folder / SANITY).is_file() else FAILED_RUN
        if self.failure is not None or self.running is None:
            return FAILED_RUN
        return IN_PROGRESS if _alive(self.running.process) else STALE

    @property
    def commit(self) -> str:
        """Full id of the reviewed commit; the short one of the run's name when nothing else is left."""
        if self.record:
            return self.record.commit
        if self.running:
            return self.running.commit
        return self.run_id[_STAMP + 1 :].partition("-")[0]

    @property
    def base_used(self) -> list[str]:
        """The bases as they were named; empty when the run left no record."""
        if self.record:
            return [base.ref for base in self.record.bases]
        return list(self.running.base_used) if self.running else []


def find_run(runs: RepositoryRuns, run_id: str) -> StoredRun | None:
    """Return the run of this id, whatever its branch. StorageCorruptError when two folders claim it."""
    if not is_run_id(run_id):
        return None
    found = [run for branch in runs.branches() if (run := _in_branch(branch, run_id))]
    if len(found) > 1:
        places = ", ".join(str(run.folder) for run in found)
        raise StorageCorruptError(
            f"the run id {run_id} names {len(found)} runs: {places}", hint="remove the copies", run_id=run_id
        )
    return found[0] if found else None


def list_runs(branch: BranchRuns) -> tuple[StoredRun, ...]:
    """Every run of a branch, the newest first."""
    found = [seen for entry in entries_of(branch.folder) for seen in _named(entry)]
    # ids of one second do not tell which came later; the folder's last change does
    newest = sorted(found, key=lambda seen: (seen[0][:_STAMP], seen[1], seen[0]), reverse=True)
    runs = (_settled(branch, StoredRun(run_id=name, folder=path)) for name, _, path in newest)
    return tuple({run.run_id: run for run in runs if run}.values())


def latest_for(branch: BranchRuns, commit: str) -> StoredRun | None:
    """The newest run of a branch that looked at this commit (a full id)."""
    return next((run for run in list_runs(branch) if run.commit and commit.startswith(run.commit)), None)


def _named(entry: os.DirEntry[str]) -> Iterator[tuple[str, int, Path]]:
    """Id, time of the last change and path, when the entry is a run that is still there."""
    name = entry.name.removesuffix(PARTIAL)
    with contextlib.suppress(OSError):  # published or removed meanwhile
        if is_run_id(name) and entry.is_dir(follow_symlinks=False):
            yield name, entry.stat().st_mtime_ns, Path(entry.path)


def _in_branch(branch: BranchRuns, run_id: str) -> StoredRun | None:
    """Look twice at the published place: the run may be published while we look."""
    for folder in (branch.published(run_id), branch.partial(run_id), branch.published(run_id)):
        if folder.is_dir() and not folder.is_symlink():
            return _settled(branch, StoredRun(run_id=run_id, folder=folder))
    return None


def _settled(branch: BranchRuns, run: StoredRun) -> StoredRun | None:
    """The run as it is; None when it is gone.

    A run that is published between our look at its folder and our look at its markers and its process would
    read as failed or stale: once it is one of these, its folder must still be there.
    """
    if not run.partial or run.status == IN_PROGRESS or run.folder.is_dir():
        return run
    published = branch.published(run.run_id)
    return StoredRun(run_id=run.run_id, folder=published) if published.is_dir() else None


def _alive(process: str) -> bool:
    try:
        return ProcessIdentity.parse(process).is_alive()
    except ValueError:
        return False
