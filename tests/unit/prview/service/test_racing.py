"""Many processes on one storage: one review a branch, and everybody else gets a true answer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from prview.store.runs import list_runs
from support.prview_project import CORE, own_tool, project
from support.prview_served import served
from support.racing import raced

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

WAITING = "#!/bin/sh\ncase $1 in --version) echo ruff 1;; *) until [ -e '{}' ]; do sleep 0.1; done;; esac\n"


def test_of_eight_reviews_at_once_one_runs_and_the_others_name_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    repo, go = project(tmp_path / "repo"), tmp_path / "go"
    repo.write("src/pkg/core.py", "import os\n\n\n" + CORE).commit()
    own_tool(repo, "ruff", WAITING.format(go))
    (tmp_path / "t").mkdir()
    monkeypatch.setenv("TMPDIR", str(tmp_path / "t"))
    *locked, winner = raced("review", tmp_path / "home", processes=8, repo=repo.path, go=go)
    assert len(locked) == 7
    for answer in locked:
        assert answer == {
            "error": "storage_locked",
            "active_run_id": winner["run_id"],
            "retry_after_ms": 5000,
        }
    left = {path.name for path in (tmp_path / "home/runs").glob("*/*/[!.]*")}
    assert left == {winner["run_id"], "latest"}


def test_twenty_at_once_on_one_storage_all_get_their_answers(tmp_path: Path) -> None:
    run = served(tmp_path)
    (run.branch.folder.parent / "index.jsonl").unlink(missing_ok=True)
    answers = raced("work", tmp_path / "prview", processes=20, repo=run.repo.path)
    assert len(answers) == 20
    lines = (run.pack / "report.json").read_text().count("\n")
    for verdict, findings, total_lines, indexed, _ in answers:
        assert (verdict, findings, total_lines, indexed) == ("CONDITIONAL", 0, lines, [run.run_id])
    assert len({begun for *_, begun in answers}) == 20
    assert [each.run_id for each in list_runs(run.branch)] == [run.run_id]
