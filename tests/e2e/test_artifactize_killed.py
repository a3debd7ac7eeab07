"""A worker that is killed at any point of a Run: nothing recorded is lost or done again, and the Run ends."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from support.artifacts import ArtifactProject, dependency, runtime

if TYPE_CHECKING:
    from collections.abc import Sequence

TESTS = Path(__file__).parents[1]
BOUND_S = 240.0


@pytest.fixture(scope="module")
def points(tmp_path_factory: pytest.TempPathFactory) -> Sequence[dict[str, Any]]:
    """One entry for each point at which the worker was killed; at the end one of a worker that was not."""
    folder = tmp_path_factory.mktemp("killed")
    project = ArtifactProject.create(folder)
    log = folder / "log"

    def check(eval_id: str, then: str) -> dict[str, Any]:
        return runtime("sh", "-c", f"echo {eval_id} >> '{log}'; {then}")

    project.declare("base", evals={"good": check("base/good", "true")})
    project.declare("bad", evals={"check": check("bad/check", "exit 1")})
    project.declare(
        "top", mounts={"b": "base"}, evals={"uses": check("top/uses", "true"), "ready": dependency("b")}
    )
    done = subprocess.run(
        [sys.executable, "-m", "support.faulty_runs", str(project.root), str(folder)],
        capture_output=True,
        text=True,
        timeout=BOUND_S,
        env={**os.environ, "PYTHONPATH": str(TESTS)},
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_every_write_and_every_execution_is_a_point(points: Sequence[dict[str, Any]]) -> None:
    """Each of the three commands has three; a worker writes at least eight times, with two points each."""
    assert len(points) > 3 * 3 + 8 * 2
    assert [each["ended"] for each in points[:-1]] == [-signal.SIGKILL] * (len(points) - 1)
    assert points[-1]["ended"] == 0


def test_every_run_ends_as_it_would_have(points: Sequence[dict[str, Any]]) -> None:
    for each in points:
        resumed = each["resumed"]
        assert each["code"] == 0
        assert resumed["run"] == [["FINISHED", "RED"]], each["point"]
        assert dict(resumed["requests"]) == {
            "base/good": "GREEN",
            "bad/check": "RED",
            "top/uses": "GREEN",
            "top/ready": "GREEN",
        }, each["point"]
        assert resumed["claims"] == 0


def test_no_recorded_verdict_is_lost_or_recorded_twice(points: Sequence[dict[str, Any]]) -> None:
    for each in points:
        before, after = each["killed"]["records"], each["resumed"]["records"]
        assert after[: len(before)] == before, each["point"]
        assert sorted(record[2] for record in after) == ["bad/check", "base/good", "top/uses"], each["point"]


def test_what_was_recorded_is_not_executed_again(points: Sequence[dict[str, Any]]) -> None:
    for each in points:
        at_death, at_end = Counter(each["killed"]["executed"]), Counter(each["resumed"]["executed"])
        for _, _, eval_id, _ in each["killed"]["records"]:
            assert at_end[eval_id] == at_death[eval_id] == 1, (each["point"], eval_id)
        assert max(at_end.values()) <= 2, each["point"]
