"""A pack appears whole, by one rename, or not at all."""

from __future__ import annotations

import datetime as dt
import json
from typing import TYPE_CHECKING

import pytest

from prview.domain.change import Base, Change, ChangedFile
from prview.domain.checks import CheckResult, Kind, State
from prview.service.packing import Reviewed, pack_files
from prview.store import paths
from prview.store.home import Home
from prview.store.pack import publish
from prview.store.run_folder import reserve
from prview.store.runs import list_runs

if TYPE_CHECKING:
    from pathlib import Path

    from prview.store.run_folder import RunFolder

HEAD, BASE = "c" * 40, "b" * 40


@pytest.fixture
def folder(tmp_path: Path) -> RunFolder:
    """A reserved run."""
    branch = Home(tmp_path / "home").repository("repo").branch("topic")
    return reserve(branch, started=dt.datetime(2026, 1, 2, tzinfo=dt.UTC), commit=HEAD)


def files(run_id: str) -> dict[str, bytes]:
    file = ChangedFile("a.md", "M", patch=b"@@ -1 +1 @@\n-a\n+b\n", added=1, deleted=1)
    change = Change("topic", "topic", HEAD, (Base("main", BASE),), BASE, (file,), (), patch=b"\xff patch")
    result = CheckResult("x", "X", Kind.HYGIENE, State.EXECUTED, examined=frozenset({"a.md"}), log="said\n")
    return pack_files(
        Reviewed(
            change=change,
            results=(result,),
            profile="quick",
            run_id=run_id,
            repo_key="repo",
            branch_key="topic",
            started_at="2026-01-02T00:00:00.000Z",
            generated_at="2026-01-02T00:00:01.000Z",
        )
    )


def test_a_pack_is_sealed_and_becomes_the_latest(folder: RunFolder) -> None:
    published = publish(folder, files(folder.run_id))
    assert [run.status for run in list_runs(folder.branch)] == ["completed"]
    assert folder.branch.latest.resolve() == published
    assert not folder.path.exists()
    assert (published / paths.PATCH).read_bytes() == b"\xff patch"


@pytest.mark.parametrize(
    "broken",
    [{paths.GATE: b"{}"}, {paths.RUN: b"{"}, {"30_context/INLINE_FINDINGS.sarif": b"[]"}],
    ids=["gate", "run", "sarif"],
)
def test_a_pack_that_does_not_read_back_is_not_published(folder: RunFolder, broken: dict[str, bytes]) -> None:
    with pytest.raises(Exception):  # noqa: B017, PT011 - whichever of the readers finds it first
        publish(folder, {**files(folder.run_id), **broken})
    assert [run.status for run in list_runs(folder.branch)] == ["failed"]
    assert not folder.branch.latest.exists()


def test_a_pack_that_is_interrupted_before_the_rename_does_not_exist(
    folder: RunFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every file is written, the seal too; without the rename no reader takes it for completed."""

    def interrupted(*_: object) -> Path:
        raise KeyboardInterrupt

    monkeypatch.setattr("prview.store.pack._rename", interrupted)
    with pytest.raises(KeyboardInterrupt):
        publish(folder, files(folder.run_id))
    assert (folder.path / paths.SANITY).is_file()
    assert [run.status for run in list_runs(folder.branch)] == ["failed"]


def test_the_same_review_gives_the_same_bytes(folder: RunFolder) -> None:
    assert files(folder.run_id) == files(folder.run_id)
    report = json.loads(files(folder.run_id)[paths.REPORT])
    assert report["files"][0]["checks"] == ["x"]
