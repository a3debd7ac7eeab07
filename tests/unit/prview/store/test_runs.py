"""What is on disk decides what a run is: only a sealed, published pack is completed."""

from __future__ import annotations

import datetime as dt
import errno
import os
import resource
import shutil
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest

from oskit.files import StorageFullError
from oskit.process import ProcessIdentity
from prview.errors import RunFailedError, StorageCorruptError
from prview.models.records import Running
from prview.store.home import Home
from prview.store.paths import SANITY
from prview.store.run_folder import reserve
from prview.store.runs import StoredRun, find_run, latest_for, list_runs
from support.racing import raced

if TYPE_CHECKING:
    from collections.abc import Iterator
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


def marker(run_id: str, process: str = DEAD) -> Running:
    return Running(
        run_id=run_id,
        process=process,
        pid=1,
        commit=COMMIT,
        branch="b",
        base_used=("main",),
        profile="deep",
        started_at="2026-01-02T03:04:05.000Z",
    )


def marked(folder: RunFolder, process: str) -> None:
    folder.mark_running(marker(folder.run_id, process))


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


def test_ids_are_unique_when_processes_race_for_them(tmp_path: Path) -> None:
    got = raced("ids", tmp_path / "home", processes=8)
    ids = [run_id for answer in got for run_id in answer["ids"]]
    assert len(ids) == len(set(ids)) == 80
    folders = (tmp_path / "home/runs").glob("*/*/*.partial")
    assert sorted(folder.name.removesuffix(".partial") for folder in folders) == sorted(ids)


def test_a_run_is_seen_once_it_is_marked_as_running(runs: RepositoryRuns) -> None:
    branch = runs.branch("a")
    folder = reserve(branch, started=MOMENT, commit=COMMIT, hidden=True)
    folder.log("about to begin")
    folder.refuse(RunFailedError("the branch is taken"))
    assert (list_runs(branch), find_run(runs, folder.run_id)) == ((), None)
    assert reserve(branch, started=MOMENT, commit=COMMIT).run_id != folder.run_id
    (folder.path / "FAILED.json").unlink()
    marked(folder, str(ProcessIdentity.current()))
    assert status(runs, folder) == "in_progress"
    assert "about to begin" in (branch.partial(folder.run_id) / "run.log").read_text()


def test_a_run_that_fails_before_it_begins_is_seen_as_failed(runs: RepositoryRuns) -> None:
    folder = reserve(runs.branch("a"), started=MOMENT, commit=COMMIT, hidden=True)
    folder.fail(RunFailedError("no time left"))
    assert status(runs, folder) == "failed"
    assert list(folder.branch.folder.iterdir()) == [folder.path]


@pytest.mark.parametrize("hidden", [True, False])
def test_a_run_that_is_discarded_leaves_nothing_seen_or_hidden(runs: RepositoryRuns, *, hidden: bool) -> None:
    folder = reserve(runs.branch("a"), started=MOMENT, commit=COMMIT, hidden=hidden)
    folder.discard()
    assert list(folder.branch.folder.iterdir()) == []


def test_a_run_that_is_published_between_two_looks_is_completed(
    runs: RepositoryRuns, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its process publishes and ends after a reader has found the folder: neither failed nor stale, ever."""
    folder = reserved(runs.branch("a"))
    marked(folder, DEAD)
    original = StoredRun.__init__

    def publish_now(self: StoredRun, *, run_id: str, folder: Path) -> None:
        original(self, run_id=run_id, folder=folder)
        if folder.is_dir() and folder.name.endswith(".partial"):
            (folder / SANITY).parent.mkdir()
            (folder / SANITY).touch()
            folder.rename(folder.with_name(run_id))

    for by_id in (True, False):
        with monkeypatch.context() as patch:
            patch.setattr(StoredRun, "__init__", publish_now)
            found = find_run(runs, folder.run_id) if by_id else latest_for(folder.branch, COMMIT)
        assert found is not None
        assert found.status == "completed"
        shutil.rmtree(found.folder / "00_summary")
        found.folder.rename(folder.path)


def test_a_run_that_is_discarded_between_two_looks_was_never_there(
    runs: RepositoryRuns, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = reserved(runs.branch("a"))
    original = StoredRun.__init__

    def discard_now(self: StoredRun, *, run_id: str, folder: Path) -> None:
        original(self, run_id=run_id, folder=folder)
        shutil.rmtree(folder, ignore_errors=True)

    monkeypatch.setattr(StoredRun, "__init__", discard_now)
    assert list_runs(folder.branch) == ()
    assert find_run(runs, folder.run_id) is None


def test_a_reboot_ends_every_run_also_where_pid_and_ticks_are_given_out_again(runs: RepositoryRuns) -> None:
    ours = ProcessIdentity.current()
    boot, ticks = ours.start_time.rsplit(":", 1)
    folder = reserved(runs.branch("a"))
    marked(folder, f"{ours.pid}@{boot}:{ticks}")
    assert status(runs, folder) == "in_progress"
    marked(folder, f"{ours.pid}@{'0' * len(boot)}:{ticks}")
    assert status(runs, folder) == "stale"


def test_a_zombie_owns_nothing(runs: RepositoryRuns) -> None:
    read, write = os.pipe()
    pid = os.posix_spawn("/bin/cat", ["cat"], {}, file_actions=[(os.POSIX_SPAWN_DUP2, read, 0)])
    os.close(read)
    identity = ProcessIdentity.of(pid)
    folder = reserved(runs.branch("a"))
    marked(folder, str(identity))
    alive = status(runs, folder)
    os.close(write)
    os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT)  # it has ended, and nobody has taken its status
    ended = status(runs, folder)
    os.waitpid(pid, 0)
    assert (alive, ended) == ("in_progress", "stale")


@contextmanager
def file_size_limit(size: int) -> Iterator[None]:
    """No file may grow beyond `size` bytes: as on a full disk, what is there stays and can be removed."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_a_run_that_has_no_room_to_say_why_it_failed_does_not_read_as_running(runs: RepositoryRuns) -> None:
    folder = reserved(runs.branch("a"))
    marked(folder, str(ProcessIdentity.current()))
    with file_size_limit(0):
        folder.fail(RunFailedError("no room"))
    assert status(runs, folder) == "failed"


def test_a_run_that_has_no_room_to_begin_leaves_nothing(
    runs: RepositoryRuns, monkeypatch: pytest.MonkeyPatch
) -> None:
    branch = runs.branch("a")

    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("pathlib.Path.touch", full)
    with pytest.raises(StorageFullError):
        reserve(branch, started=MOMENT, commit=COMMIT, hidden=True)
    assert list(branch.folder.iterdir()) == []
    assert list((runs.folder / ".ids").iterdir()) == []


def test_runs_that_cannot_be_read_are_an_error_and_not_an_empty_list(tmp_path: Path) -> None:
    (tmp_path / "runs").mkdir()
    (tmp_path / "runs/repo").write_text("a file where a folder should be")
    runs = Home(tmp_path).repository("repo")
    with pytest.raises(StorageCorruptError, match="cannot read the runs"):
        find_run(runs, "20260102-030405-abcdef0")
    with pytest.raises(StorageCorruptError, match="cannot read the runs"):
        list_runs(runs.branch("a"))
