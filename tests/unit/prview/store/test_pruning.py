"""Removed runs are gone whole; runs that somebody works on are not touched."""

from __future__ import annotations

import datetime as dt
import os
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from mcpkit.errors import ToolError
from oskit.process import ProcessIdentity
from prview.models.records import Running
from prview.service.packing import pack_files
from prview.store.home import BranchRuns, Home
from prview.store.pack import publish
from prview.store.pruning import removable, remove, size_of, sweep_removed
from prview.store.run_folder import RunFolder, reserve
from prview.store.runs import find_run, list_runs
from support.prview_review import HEAD, change_of, reviewed

if TYPE_CHECKING:
    from pathlib import Path

    from prview.store.home import RepositoryRuns


@pytest.fixture
def runs(tmp_path: Path) -> RepositoryRuns:
    """A repository."""
    return Home(tmp_path / "home").repository("repo")


@pytest.fixture
def branch(runs: RepositoryRuns) -> BranchRuns:
    """A branch with three completed runs."""
    made = runs.branch("topic")
    for minute in range(3):
        folder = start(made, minute)
        publish(folder, pack_files(reviewed(change_of([]), run_id=folder.run_id)))
    return made


def start(branch: BranchRuns, minute: int) -> RunFolder:
    """Reserve a run."""
    return reserve(branch, started=dt.datetime(2026, 1, 2, 3, minute, tzinfo=dt.UTC), commit=HEAD)


def running(folder: RunFolder, process: str) -> None:
    """Say that a process works on the run."""
    folder.mark_running(
        Running(
            run_id=folder.run_id,
            process=process,
            pid=1,
            commit=HEAD,
            branch="topic",
            base_used=("main",),
            profile="quick",
            started_at="2026-01-02T03:00:00.000Z",
        )
    )


def minutes(found: tuple[object, ...]) -> list[str]:
    """What tells runs apart."""
    return [run.run_id[11:13] for run in found]  # type: ignore[attr-defined]


def test_what_is_removed_is_gone_with_its_id_and_the_latest_stays(
    runs: RepositoryRuns, branch: BranchRuns
) -> None:
    gone = removable(branch, keep=1, older_than=None)
    assert minutes(gone) == ["01", "00"]
    assert all(size_of(run.folder) > 1000 for run in gone)
    assert [remove(branch, run) for run in gone] == [True, True]
    assert minutes(list_runs(branch)) == ["02"]
    assert find_run(runs, gone[0].run_id) is None
    assert sorted(path.name for path in (runs.folder / ".ids").iterdir()) == [list_runs(branch)[0].run_id]
    assert branch.latest.resolve() == list_runs(branch)[0].folder.resolve()
    assert remove(branch, gone[0]) is False


def test_the_newest_completed_run_stays_whatever_came_after_it(branch: BranchRuns) -> None:
    failed = start(branch, 30)
    failed.fail(ToolError("run_failed", "no base"))
    assert minutes(removable(branch, keep=0, older_than=None)) == ["30", "01", "00"]
    assert minutes(removable(branch, keep=None, older_than=timedelta(0))) == ["30", "01", "00"]


def test_a_run_in_progress_stays_and_a_dead_one_goes(branch: BranchRuns) -> None:
    alive, dead = start(branch, 40), start(branch, 41)
    running(alive, str(ProcessIdentity.current()))
    running(dead, "1@long-ago")
    os.utime(dead.path, (0, 0))
    assert minutes(removable(branch, keep=0, older_than=None)) == ["41", "01", "00"]


def test_a_run_that_was_only_just_reserved_stays(branch: BranchRuns) -> None:
    fresh = start(branch, 50)
    assert "50" not in minutes(removable(branch, keep=0, older_than=None))
    os.utime(fresh.path, (0, 0))
    assert "50" in minutes(removable(branch, keep=0, older_than=None))


def test_a_run_that_was_taken_up_after_it_was_chosen_stays(branch: BranchRuns) -> None:
    folder = start(branch, 55)
    os.utime(folder.path, (0, 0))
    (chosen,) = (run for run in removable(branch, keep=0, older_than=None) if run.run_id == folder.run_id)
    running(folder, str(ProcessIdentity.current()))
    assert remove(branch, chosen) is False
    assert folder.path.is_dir()


def test_a_removal_that_was_interrupted_is_finished_later(branch: BranchRuns) -> None:
    (branch.folder / ".removed-20260101-000000-abcdef0").mkdir()
    (branch.folder / ".removed-20260101-000000-abcdef0" / "x").write_text("x")
    sweep_removed(branch)
    assert len(list_runs(branch)) == 3
    assert not list(branch.folder.glob(".removed-*"))
