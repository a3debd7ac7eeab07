"""What a project accepts of recorded verdicts, read in full and remembered."""

from __future__ import annotations

import json
import os
import time
from typing import TYPE_CHECKING

from artifactize.service import recalling
from support.artifacts import ArtifactProject, counting, lines_of, wait_for

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

DAY_S = 86_400


def accepting(tmp_path: Path, max_age: str) -> ArtifactProject:
    declared = {**counting(tmp_path / "log"), "accept": {"max_age": max_age}}
    return ArtifactProject.create(tmp_path).declare("guide", evals={"e": declared})


def recorded_ago(project: ArtifactProject, days: int) -> None:
    """Make every record older, and let nothing remembered answer."""
    with project.database() as connection:
        connection.execute(
            "UPDATE records SET recorded_at = strftime('%Y-%m-%dT%H:%M:%S.000Z', 'now', ?)",
            (f"-{days} days",),
        )
    project.environment["ARTIFACTIZE_NO_MEMO"] = "1"


def test_a_verdict_that_is_too_old_is_refused_with_the_reason_and_runs_again(tmp_path: Path) -> None:
    project = accepting(tmp_path, "30d")
    run_id = project.result("--all")["run_id"]
    recorded_ago(project, 29)
    assert project.status()["guide/e"]["action"] == "reuse"
    recorded_ago(project, 31)

    planned = project.status()["guide/e"]
    reused = project.verify("--all", "--reuse-only", "runtime")
    again = project.result("--all")

    assert planned["action"] == "execute"
    assert planned["reason"] == (
        f"the verdict of Run {run_id} is refused: it was recorded 31 days ago, and accept.max_age is 30d"
    )
    assert (reused.code, "is refused" in reused.out + reused.err) == (4, True)
    assert again["sources"]["executed"] == 1
    assert lines_of(tmp_path / "log") == 2


def test_declaring_an_age_later_refuses_what_was_recorded_before(tmp_path: Path) -> None:
    project = ArtifactProject.create(tmp_path)
    project.declare("guide", evals={"e": counting(tmp_path / "log")})
    assert project.verify("--all").code == 0
    recorded_ago(project, 2)
    assert project.status()["guide/e"]["action"] == "reuse"

    project.declare("", name="root", review_policy={"accept": {"max_age": "1d"}})

    assert project.status()["guide/e"]["action"] == "execute"


def test_what_is_remembered_answers_no_longer_than_its_verdicts_are_accepted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = accepting(tmp_path, "1d")
    assert project.verify("--all").code == 0
    wait_for(lambda: list(project.state.glob("memos/*.memo")))
    now = time.time()

    def answers(passed: float) -> bool:
        monkeypatch.setattr(time, "time", lambda: now + passed)
        found = recalling.recall(
            str(project.root), str(project.state), {**os.environ}, verify=False, form="text"
        )
        return found is not None

    wait_for(lambda: answers(0))  # the worker may still hold its claim
    assert [answers(passed) for passed in (DAY_S / 2, DAY_S + 1, -DAY_S)] == [True, False, False]


def test_a_verdict_that_becomes_too_old_during_a_run_is_no_green(tmp_path: Path) -> None:
    project = accepting(tmp_path, "1d")
    assert project.verify("--all").code == 0
    waiting = f"touch '{tmp_path}/began'; until [ -e '{tmp_path}/go' ]; do sleep 0.02; done"
    project.declare("slow", evals={"e": counting(tmp_path / "slow", then=waiting)})
    run = project.start("verify", "--all", "--json")
    wait_for((tmp_path / "began").exists)

    recorded_ago(project, 2)
    (tmp_path / "go").touch()
    out, _ = run.communicate(timeout=60)

    assert run.returncode == 4
    assert project.states(json.loads(out)["run_id"]) == {"guide/e": "STALE", "slow/e": "GREEN"}
    assert lines_of(tmp_path / "log") == 1
