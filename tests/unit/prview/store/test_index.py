"""The index is a cache: damage costs time, and it never speaks against a pack."""

from __future__ import annotations

import datetime as dt
import json
import shutil
from typing import TYPE_CHECKING

import pytest

from oskit.locks import FileLock
from prview.service.packing import pack_files
from prview.store import index
from prview.store.home import Home, RepositoryRuns
from prview.store.index import INDEX_FILE, LOCK_FILE, read_index
from prview.store.pack import publish
from prview.store.paths import GATE
from prview.store.run_folder import reserve
from support.prview_review import HEAD, change_of, changed_file, finding, result, reviewed

if TYPE_CHECKING:
    from pathlib import Path

    from prview.models.records import IndexEntry
    from prview.store.runs import StoredRun


@pytest.fixture
def runs(tmp_path: Path) -> RepositoryRuns:
    """A repository with three completed runs on two branches."""
    repository = Home(tmp_path / "home").repository("repo")
    for number, branch in enumerate(("topic", "topic", "other")):
        add_run(repository, branch, number)
    return repository


def add_run(runs: RepositoryRuns, branch: str, number: int) -> Path:
    """Publish a run with `number` introduced findings."""
    folder = reserve(
        runs.branch(branch), started=dt.datetime(2026, 1, 2, 3, number, tzinfo=dt.UTC), commit=HEAD
    )
    found = [finding("a.py", line) for line in range(1, number + 1)]
    review = reviewed(
        change_of([changed_file("a.py", "+x")]),
        result("ruff", *found),
        run_id=folder.run_id,
        branch_key=branch,
        generated_at=f"2026-01-02T03:0{number}:01.000Z",
    )
    return publish(folder, pack_files(review))


def lines(runs: RepositoryRuns) -> list[str]:
    """The file as it is."""
    return (runs.folder / INDEX_FILE).read_text().splitlines()


def introduced(entries: tuple[IndexEntry, ...]) -> list[int]:
    """What tells the runs apart."""
    return [entry.introduced for entry in entries]


def test_the_newest_run_comes_first_and_the_cache_is_written(runs: RepositoryRuns) -> None:
    entries = read_index(runs)
    assert introduced(entries) == [2, 1, 0]
    assert [entry.branch_key for entry in entries] == ["other", "topic", "topic"]
    assert {entry.verdict for entry in entries} == {"CONDITIONAL"}
    assert len(lines(runs)) == 3


def test_one_bad_line_costs_one_line(runs: RepositoryRuns, monkeypatch: pytest.MonkeyPatch) -> None:
    before = read_index(runs)
    damaged = lines(runs)
    damaged[1] = damaged[1][:40]
    (runs.folder / INDEX_FILE).write_text("\n".join(["\x00garbage", *damaged, '{"run_id": 5}']))
    read: list[str] = []
    original = index._from_pack

    def noted(run: StoredRun, stamp: str) -> IndexEntry | None:
        read.append(run.run_id)
        return original(run, stamp)

    monkeypatch.setattr(index, "_from_pack", noted)
    assert read_index(runs) == before
    assert read == [before[1].run_id]
    assert len(lines(runs)) == 3


@pytest.mark.parametrize("loss", ["gone", "empty", "a folder", "bytes"])
def test_a_lost_index_is_rebuilt_from_the_packs(runs: RepositoryRuns, loss: str) -> None:
    before = read_index(runs)
    file = runs.folder / INDEX_FILE
    file.unlink()
    if loss == "empty":
        file.write_text("")
    elif loss == "a folder":
        file.mkdir()
    elif loss == "bytes":
        file.write_bytes(bytes(range(256)))
    assert read_index(runs) == before


def test_a_gate_that_was_written_again_is_believed_and_not_the_cache(runs: RepositoryRuns) -> None:
    newest = read_index(runs)[0]
    gate = runs.branch("other").published(newest.run_id) / GATE
    document = json.loads(gate.read_text())
    document["decision"]["merge_recommendation"] = "block"
    gate.write_text(json.dumps(document))
    assert read_index(runs)[0].verdict == "BLOCK"
    gate.write_text("{")
    assert introduced(read_index(runs)) == [1, 0]


def test_a_run_that_is_gone_is_forgotten_and_a_line_alone_is_no_run(runs: RepositoryRuns) -> None:
    newest = read_index(runs)[0]
    shutil.rmtree(runs.branch("other").published(newest.run_id))
    assert introduced(read_index(runs)) == [1, 0]
    assert len(lines(runs)) == 2


def test_a_run_that_is_not_completed_is_not_in_it(runs: RepositoryRuns) -> None:
    reserve(runs.branch("topic"), started=dt.datetime(2027, 1, 1, tzinfo=dt.UTC), commit=HEAD)
    assert len(read_index(runs)) == 3


def test_while_somebody_else_writes_it_the_answer_is_the_same(runs: RepositoryRuns) -> None:
    with FileLock(runs.folder / LOCK_FILE):
        assert introduced(read_index(runs)) == [2, 1, 0]
        assert not (runs.folder / INDEX_FILE).exists()
    assert introduced(read_index(runs)) == [2, 1, 0]
    assert len(lines(runs)) == 3
