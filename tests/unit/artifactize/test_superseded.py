"""A worker that was taken for dead, and is not: it writes nothing any more."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from artifactize.domain.selection import ALL
from artifactize.errors import SupersededError
from artifactize.execution.local import LocalExecutor
from artifactize.models.states import RunState
from artifactize.models.stored import Worker
from artifactize.service.finishing import cancel, take_up
from artifactize.service.running import RunLoop
from artifactize.service.submitting import Submission, submit
from artifactize.service.workspace import Workspace
from artifactize.store import owners, runs
from oskit.clock import monotonic
from oskit.process import ProcessIdentity
from support.artifacts import ArtifactProject, runtime

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from artifactize.models.stored import Run

pytestmark = pytest.mark.anyio
GONE = ProcessIdentity(2**22 - 3, "some-boot:1")
ME = str(ProcessIdentity.current())


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[Workspace]:
    project = ArtifactProject.create(tmp_path)
    project.declare("a", evals={"e": runtime("true")})
    opened = Workspace(project.root, project.state, {"PATH": "/usr/bin:/bin"}, lambda _workspace: GONE)
    yield opened
    opened.close()


def make_worker(workspace: Workspace, owner: str) -> None:
    worker = Worker(repository=workspace.repository, owner=owner, beat=monotonic(), since="now")
    with workspace.store().write() as connection:
        owners.put_worker(connection, worker)


def saved(workspace: Workspace, run_id: str) -> Run:
    with workspace.store().read() as connection:
        found = runs.get(connection, run_id, repository=workspace.repository)
    assert found is not None
    return found


async def test_another_worker_is_left_its_run(workspace: Workspace) -> None:
    run = (await submit(workspace, Submission(selection=ALL))).run
    make_worker(workspace, str(GONE))

    await RunLoop(workspace, run, owner=ME, executor=LocalExecutor()).run()

    assert saved(workspace, run.id) == run
    with pytest.raises(SupersededError):
        take_up(workspace, run, owner=ME)


async def test_cancelling_without_a_living_worker_ends_the_run_and_the_workers_right_to_write(
    workspace: Workspace,
) -> None:
    run = (await submit(workspace, Submission(selection=ALL))).run
    make_worker(workspace, str(GONE))

    cancel(workspace, run)

    assert saved(workspace, run.id).state is RunState.FINISHED
    with pytest.raises(SupersededError):
        take_up(workspace, run, owner=str(GONE))


async def test_the_worker_itself_executes_its_run(workspace: Workspace) -> None:
    run = (await submit(workspace, Submission(selection=ALL))).run
    make_worker(workspace, ME)

    await RunLoop(workspace, run, owner=ME, executor=LocalExecutor()).run()

    assert saved(workspace, run.id).outcome == "GREEN"
