"""A review that a signal ends: its programs end with it, and what is left reads as failed or stale."""

from __future__ import annotations

import json
import signal
import subprocess
from typing import TYPE_CHECKING

import pytest

from support.prview_client import gone, kept_runs, kill, pid_in
from support.prview_project import CORE, PRVIEW, environment, own_tool, project, prview, review

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.anyio
HANGING = "#!/bin/sh\ncase $1 in --version) echo ruff 1;; *) sleep 300 & echo $! > '{}'; wait;; esac\n"


@pytest.mark.parametrize(
    ("number", "code", "status"),
    [
        (signal.SIGINT, 130, "failed"),
        (signal.SIGTERM, 143, "failed"),
        (signal.SIGKILL, -9, "stale"),
    ],
    ids=["SIGINT", "SIGTERM", "SIGKILL"],
)
async def test_an_interrupted_review_never_reads_as_done_and_frees_its_branch(
    home: Path, tmp_path: Path, number: signal.Signals, code: int, status: str
) -> None:
    repo = project(tmp_path / "repo")
    repo.write("src/pkg/core.py", CORE + "\n").commit()
    mark, temporary = tmp_path / "pid-of-sleep", tmp_path / "t"
    temporary.mkdir()
    own_tool(repo, "ruff", HANGING.format(mark))
    command = [*PRVIEW, "--quick", "--quiet", "--repo", str(repo.path)]
    with subprocess.Popen(  # noqa: ASYNC220 - waited for right below
        command, env=environment(home, env={"TMPDIR": str(temporary)}), stdout=subprocess.PIPE
    ) as process:
        hanging = await pid_in(mark)
        process.send_signal(number)
        printed, _ = process.communicate(timeout=30)
    assert (process.returncode, printed) == (code, b"")
    if number is signal.SIGKILL:
        kill(hanging)  # nobody is left who could
    await gone(hanging)

    (run_id,) = kept_runs(home)
    state = prview("state", "--json", home=home, repo=repo.path).json
    latest = state["latest_run_for_head"]
    assert (latest["run_id"], latest["status"], latest["merge_status"]) == (run_id, status, None)

    own_tool(repo, "ruff", "#!/bin/sh\nexec false\n")
    again = review(repo, "--quick", home=home)
    assert json.loads(again.stdout)["status"] == "completed"
    assert list(temporary.iterdir()) == [], "the next run removes what a dead one left"
