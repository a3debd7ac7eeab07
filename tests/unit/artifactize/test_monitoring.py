"""Looking at every repository of a state: only what is new is read, and nothing can be written."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest
import sqlalchemy as sa

from artifactize.errors import RunNotFoundError, StateError
from artifactize.models.states import Outcome, RequestState
from artifactize.service.monitoring import Monitor
from artifactize.store import requests, runs
from artifactize.store.database import Store
from artifactize.store.read_only import ReadOnlyStore
from support.run_history import run_id, save, saved_request, saved_run


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store.open(tmp_path / "state")


def test_repositories_come_newest_first_with_worktrees_behind_their_checkout(
    store: Store, tmp_path: Path
) -> None:
    main, tree, other = (tmp_path / name for name in ("main", "tree", "other"))
    for folder in (main / ".git/worktrees/tree", tree, other):
        folder.mkdir(parents=True)
    (tree / ".git").write_text(f"gitdir: {main}/.git/worktrees/tree\n")
    for number, folder in enumerate((tree, other, main, Path("/gone"))):
        save(store, saved_run(number, str(folder), None if folder == main else Outcome.RED))
    found = Monitor(store.path.parent).repositories()
    assert [each.row.repository for each in found] == ["/gone", str(main), str(tree), str(other)]
    assert [each.is_worktree for each in found] == [False, False, True, False]
    assert [each.exists for each in found] == [False, True, True, True]
    assert [(each.row.runs, each.row.unfinished) for each in found][1] == (1, 1)


def test_of_known_runs_only_those_that_go_on_are_read_again(store: Store) -> None:
    for number in range(50):
        save(store, saved_run(number, "/r", None if number == 40 else Outcome.GREEN))
    monitor = Monitor(store.path.parent)
    first = monitor.runs("/r")
    with store.write() as connection:
        runs.change(connection, run_id(40), {"state": "FINISHED", "outcome": Outcome.RED})
    save(store, saved_run(50, "/r"))
    second = monitor.runs("/r", first)
    assert [row.id for row in second.rows] == [run_id(number) for number in range(50, -1, -1)]
    assert second.rows[10].outcome is Outcome.RED
    assert all(new is old for new, old in zip(second.rows[1:10], first.rows, strict=False))
    with store.write() as connection:  # as prune does
        connection.execute(sa.text("DELETE FROM runs WHERE id = :id"), {"id": run_id(7)})
    assert run_id(7) not in {row.id for row in monitor.runs("/r", second).rows}
    assert monitor.runs("/other", second).rows == ()


def test_of_a_known_run_only_changed_requests_are_read_again(store: Store) -> None:
    run = saved_run(1, "/r", None)
    save(store, run, [saved_request(run, at, f"a/e{at}", RequestState.QUEUED) for at in range(3)])
    monitor = Monitor(store.path.parent)
    first = monitor.seen("/r", run.id)
    assert monitor.seen("/r", run.id, first) is first
    changed = saved_request(run, 1, "a/e1", RequestState.GREEN)
    with store.write() as connection:
        runs.change(connection, run.id, {})
        requests.save_all(connection, run.id, [changed])
    second = monitor.seen("/r", run.id, first)
    assert [each.state for each in second.requests] == ["QUEUED", "GREEN", "QUEUED"]
    assert second.requests[0] is first.requests[0]
    with pytest.raises(RunNotFoundError):
        monitor.seen("/other", run.id)


def test_nothing_can_be_written_and_nothing_is_made(store: Store, tmp_path: Path) -> None:
    save(store, saved_run(1, "/r"))
    store.close()
    before = hashlib.sha256(store.path.read_bytes()).digest()
    looking = ReadOnlyStore.existing(store.path.parent)
    assert looking is not None
    with pytest.raises(StateError, match="readonly database"), looking.read() as connection:
        connection.execute(sa.text("DELETE FROM runs"))
    with pytest.raises(StateError, match="looking only"):
        looking.write()
    workspace = Monitor(store.path.parent).workspace("/r")
    with pytest.raises(StateError, match="no worker"):
        workspace.start_worker(workspace)
    looking.close()
    assert hashlib.sha256(store.path.read_bytes()).digest() == before
    nowhere = Monitor(tmp_path / "nowhere")
    assert (nowhere.version(), nowhere.repositories(), nowhere.runs("/r").rows) == (0, (), ())
    assert not (tmp_path / "nowhere").exists()


def test_an_older_state_is_named_and_left_as_it_is(store: Store) -> None:
    with store.write() as connection:
        connection.execute(sa.text("DELETE FROM schema_version WHERE version > 1"))
    with pytest.raises(StateError, match="older version"):
        Monitor(store.path.parent).version()
