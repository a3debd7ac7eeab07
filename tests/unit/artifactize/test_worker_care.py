from __future__ import annotations

import shutil
import subprocess
from typing import TYPE_CHECKING

import pytest

from artifactize.errors import WorkerFailedError
from artifactize.models.stored import Worker
from artifactize.service.worker_care import HUNG_AFTER_S, MAX_STARTS, WorkerCare, is_working
from artifactize.service.workspace import Workspace
from artifactize.store import owners
from oskit.clock import monotonic
from oskit.process import ProcessIdentity

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

GONE = ProcessIdentity(2**22 - 3, "some-boot:1")


class Started:
    """Counts how often a worker was asked for; each of them has ended already."""

    def __init__(self) -> None:
        self.count = 0

    def __call__(self, workspace: Workspace) -> ProcessIdentity:
        self.count += 1
        return GONE


@pytest.fixture
def started() -> Started:
    return Started()


@pytest.fixture
def workspace(tmp_path: Path, started: Started) -> Iterator[Workspace]:
    opened = Workspace(tmp_path / "project", tmp_path / "state", {}, started)
    opened.store()
    yield opened
    opened.close()


@pytest.fixture
def sleeper() -> Iterator[subprocess.Popen[bytes]]:
    with subprocess.Popen(["sleep", "60"], start_new_session=True) as process:
        yield process
        process.kill()


def put(workspace: Workspace, owner: ProcessIdentity, *, beat: float) -> Worker:
    found = Worker(repository=workspace.repository, owner=str(owner), beat=beat, since="now")
    with workspace.store().write() as connection:
        owners.put_worker(connection, found)
    return found


def test_a_living_worker_is_left_alone(workspace: Workspace, started: Started) -> None:
    found = put(workspace, ProcessIdentity.current(), beat=monotonic())

    WorkerCare(workspace).check()

    assert is_working(found)
    assert started.count == 0


def test_without_a_worker_or_with_a_dead_one_another_is_started(
    workspace: Workspace, started: Started
) -> None:
    WorkerCare(workspace).check()
    found = put(workspace, GONE, beat=monotonic())
    WorkerCare(workspace).check()

    assert not is_working(found)
    assert started.count == 2


def test_a_recycled_process_number_is_not_taken_for_the_worker(
    workspace: Workspace, started: Started
) -> None:
    me = ProcessIdentity.current()
    put(workspace, ProcessIdentity(me.pid, me.start_time + "0"), beat=monotonic())

    WorkerCare(workspace).check()

    assert started.count == 1


def test_a_worker_whose_heart_stopped_is_ended(
    workspace: Workspace, started: Started, sleeper: subprocess.Popen[bytes]
) -> None:
    identity = ProcessIdentity.of(sleeper.pid)
    assert identity is not None
    put(workspace, identity, beat=monotonic() - HUNG_AFTER_S - 1)

    WorkerCare(workspace).check()

    assert sleeper.wait(timeout=10) != 0
    assert started.count == 1


def test_workers_that_keep_ending_are_given_up(workspace: Workspace, started: Started) -> None:
    care = WorkerCare(workspace)
    for _ in range(MAX_STARTS):
        care.check()

    with pytest.raises(WorkerFailedError, match="ended without finishing the Run") as failure:
        care.check()

    assert started.count == MAX_STARTS
    assert "worker.log" in (failure.value.hint or "")


def test_workers_that_end_on_a_full_disk_are_told_as_that(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    care = WorkerCare(workspace)
    for _ in range(MAX_STARTS):
        care.check()
    usage = shutil.disk_usage(workspace.state_dir)._replace(free=4096)
    monkeypatch.setattr(shutil, "disk_usage", lambda _path: usage)

    with pytest.raises(WorkerFailedError, match="hardly any space is left") as failure:
        care.check()

    assert "free some space" in (failure.value.hint or "")


def test_what_one_observer_started_another_of_the_same_process_waits_for(tmp_path: Path) -> None:
    count: list[Workspace] = []

    def start(workspace: Workspace) -> ProcessIdentity:
        count.append(workspace)
        return ProcessIdentity.current()  # alive, and not registered yet

    opened = Workspace(tmp_path / "project", tmp_path / "state", {}, start)
    opened.store()

    WorkerCare(opened).check()
    WorkerCare(opened).check()

    assert len(count) == 1
    opened.close()
