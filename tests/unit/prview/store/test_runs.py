"""What is on disk decides what a run is: only a sealed, published pack is completed."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING

import pytest

from oskit.process import ProcessIdentity
from prview.errors import RunFailedError, StorageCorruptError
from prview.models.records import Running
from prview.store.home import Home
from prview.store.paths import SANITY
from prview.store.run_folder import reserve
from prview.store.runs import find_run, latest_for, list_runs

if TYPE_CHECKING:
    from pathlib import Path

    from prview.store.home import BranchRuns, RepositoryRuns
    from prview.store.run_folder import RunFolder

MOMENT = dt.datetime(2026, 1, 2, 3, 4, 5, tzinfo=dt.UTC)
COMMIT = "abcdef0123456789abcdef0123456789abcdef01"
DEAD = "1@no-such-boot:1"


@pytest.fixture
def runs(tmp_path: Path) -> RepositoryRuns:
    """The runs of one repository, none yet."""
    return Home(tmp_path / "home").repository("repo")


def reserved(branch: BranchRuns, commit: str = COMMIT) -> RunFolder:
    return reserve(branch, started=MOMENT, commit=commit)


def marked(folder: RunFolder, process: str) -> None:
    folder.mark_running(
        Running(
            run_id=folder.run_id,
            process=process,
            pid=1,
            commit=COMMIT,
            branch="b",
            base_used=("main",),
            profile="deep",
            started_at="2026-01-02T03:04:05.000Z",
        )
    )


def status(runs: RepositoryRuns, folder: RunFolder) -> str | None:
    found = find_run(runs, folder.run_id)
    return found.status if found else None


def test_ids_are_unique_in_a_repository_across_branches(runs: RepositoryRuns) -> None:
    folders = [reserved(runs.branch(branch)) for branch in ("a", "b", "a", "b")]
    assert [folder.run_id for folder in folders] == [
        "20260102-030405-abcdef0",
        "20260102-030405-abcdef0-1",
        "20260102-030405-abcdef0-2",
        "20260102-030405-abcdef0-3",
    ]


def test_a_run_is_what_its_folder_says(runs: RepositoryRuns) -> None:
    folder = reserved(runs.branch("a"))
    assert status(runs, folder) == "failed"
    marked(folder, str(ProcessIdentity.current()))
    assert status(runs, folder) == "in_progress"
    marked(folder, DEAD)
    assert status(runs, folder) == "stale"
    folder.fail(RunFailedError("no base", hint="name one"))
    assert status(runs, folder) == "failed"


def test_a_marker_that_cannot_be_read_is_no_life(runs: RepositoryRuns) -> None:
    folder = reserved(runs.branch("a"))
    marked(folder, "no identity")
    assert status(runs, folder) == "stale"
    (folder.path / "RUNNING.json").write_text("{")
    assert status(runs, folder) == "failed"


def test_a_published_folder_is_completed_by_its_seal_alone(runs: RepositoryRuns) -> None:
    folder = reserved(runs.branch("a"))
    marked(folder, str(ProcessIdentity.current()))
    published = folder.path.rename(folder.branch.published(folder.run_id))
    assert status(runs, folder) == "failed"
    (published / SANITY).parent.mkdir()
    (published / SANITY).touch()
    assert status(runs, folder) == "completed"


def test_a_discarded_run_leaves_nothing_and_its_id_is_free(runs: RepositoryRuns) -> None:
    first = reserved(runs.branch("a"))
    first.discard()
    assert list_runs(runs.branch("a")) == ()
    assert reserved(runs.branch("a")).run_id == first.run_id


def test_an_id_of_two_folders_is_refused(runs: RepositoryRuns) -> None:
    folder = reserved(runs.branch("a"))
    (runs.folder / "b" / folder.run_id).mkdir(parents=True)
    with pytest.raises(StorageCorruptError, match="names 2 runs"):
        find_run(runs, folder.run_id)


@pytest.mark.parametrize("run_id", ["", "..", "a/../b", ".ids", "latest"])
def test_what_is_no_id_names_no_run(runs: RepositoryRuns, run_id: str) -> None:
    reserved(runs.branch("a"))
    assert find_run(runs, run_id) is None


def test_the_newest_run_for_a_commit_is_found_whatever_became_of_it(runs: RepositoryRuns) -> None:
    branch = runs.branch("a")
    old = reserve(branch, started=MOMENT - dt.timedelta(days=1), commit=COMMIT)
    newest = reserved(branch)
    reserve(branch, started=MOMENT + dt.timedelta(days=1), commit="f" * 40)
    assert [run.run_id for run in list_runs(branch)][1:] == [newest.run_id, old.run_id]
    found = latest_for(branch, COMMIT)
    assert found is not None
    assert found.run_id == newest.run_id
    assert latest_for(branch, "e" * 40) is None
