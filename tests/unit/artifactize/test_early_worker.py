from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from artifactize.models.stored import Worker
from artifactize.service import early_worker
from artifactize.service.workspace import Workspace
from artifactize.store import owners
from artifactize.wiring import start_worker
from oskit.clock import monotonic
from oskit.process import ProcessIdentity, kill_tree
from support.processes import wait_until

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

BOUND_S = 60.0


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[Workspace]:
    (tmp_path / "project").mkdir()
    opened = Workspace(tmp_path / "project", tmp_path / "state", {}, start_worker)
    yield opened
    opened.close()
    if (left := early_worker.take()) is not None:
        os.close(left.pipe)
        kill_tree(left.identity, grace_s=0.1)


def owner(workspace: Workspace) -> str | None:
    with workspace.store().read() as connection:
        found = owners.worker(connection, workspace.repository)
    return None if found is None else found.owner


def prepare(workspace: Workspace) -> None:
    early_worker.prepare(str(workspace.root), str(workspace.state_dir))


def test_the_worker_that_waits_is_the_one_that_starts(workspace: Workspace) -> None:
    prepare(workspace)
    assert not workspace.state_dir.exists()
    workspace.store()

    started = start_worker(workspace)

    try:
        wait_until(lambda: owner(workspace) == str(started), bound_s=BOUND_S)
        assert early_worker.take() is None
        assert (workspace.state_dir / "worker.log").stat().st_mode & 0o777 == 0o600
    finally:
        kill_tree(started, grace_s=0.1)


def test_a_worker_that_nobody_needed_ends_with_its_client_and_leaves_nothing(workspace: Workspace) -> None:
    prepare(workspace)
    waiting = early_worker.take()
    assert waiting is not None
    assert waiting.identity.is_alive()

    os.close(waiting.pipe)

    wait_until(lambda: not waiting.identity.is_alive(), bound_s=BOUND_S)
    assert not workspace.state_dir.exists()


def test_one_that_ended_while_it_waited_is_not_taken_for_a_worker(workspace: Workspace) -> None:
    prepare(workspace)
    waiting = early_worker.take()
    assert waiting is not None
    kill_tree(waiting.identity, grace_s=0.1)

    assert not waiting.begin(workspace.root, workspace.state_dir)


def test_none_is_prepared_for_a_project_that_has_a_worker(workspace: Workspace) -> None:
    alive = str(ProcessIdentity.current())
    with workspace.store().write() as connection:
        owners.put_worker(
            connection,
            Worker(repository=workspace.repository, owner=alive, beat=monotonic(), since="now"),
        )

    prepare(workspace)

    assert early_worker.take() is None
