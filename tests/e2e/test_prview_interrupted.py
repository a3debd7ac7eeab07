"""A review that a signal ends: its programs end with it, and what is left reads as failed or stale."""

from __future__ import annotations

import json
import shutil
import signal
import subprocess
from typing import TYPE_CHECKING

import pytest

from oskit.process import ProcessIdentity
from support.prview_client import gone, kept_runs, pid_in
from support.prview_project import CORE, PRVIEW, environment, own_tool, project, prview, review

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.anyio
HANGING = "#!/bin/sh\ncase $1 in --version) echo ruff 1;; *) sleep 300 & echo $! > '{}'; wait;; esac\n"
SLEEPING = (
    "import os\nimport pathlib\nimport time\n\n\ndef test_add():\n"
    "    pathlib.Path({!r}).write_text(str(os.getpid()))\n    time.sleep(300)\n"
)


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
    if number is not signal.SIGKILL:  # then nobody is left who could, until the next run
        await gone(hanging)

    (run_id,) = kept_runs(home)
    state = prview("state", "--json", home=home, repo=repo.path).json
    latest = state["latest_run_for_head"]
    assert (latest["run_id"], latest["status"], latest["merge_status"]) == (run_id, status, None)

    (temporary / "oskit-git-1-00000000-cut_off").mkdir()  # what git read in when a kill hit it there
    own_tool(repo, "ruff", "#!/bin/sh\nexec false\n")
    again = review(repo, "--quick", home=home, env={"TMPDIR": str(temporary)})
    assert json.loads(again.stdout)["status"] == "completed"
    await gone(hanging)
    assert list(temporary.iterdir()) == [], "the next run removes what a dead one left"


@pytest.mark.parametrize("marked", [True, False], ids=["its marker is there", "its marker is gone"])
async def test_a_review_of_any_branch_ends_what_a_killed_one_left(
    home: Path, tmp_path: Path, *, marked: bool
) -> None:
    repo = project(tmp_path / "repo")
    mark = tmp_path / "pid-of-test"
    repo.write("src/pkg/core.py", CORE + "\n").write(
        "tests/test_core.py", SLEEPING.format(str(mark))
    ).commit()
    command = [*PRVIEW, "--quiet", "--repo", str(repo.path)]
    with subprocess.Popen(command, env=environment(home)) as process:  # noqa: ASYNC220 - waited for below
        hanging = await pid_in(mark)
        process.kill()
        process.wait(timeout=30)
    assert ProcessIdentity.of(hanging) is not None
    left = list((home / "t").glob("prview-*"))
    assert len(left) == 1
    if not marked:
        (folder,) = (home / "prview/runs").glob("*/*/*.partial")
        shutil.rmtree(folder)

    repo.branch("another").write("src/pkg/core.py", CORE + "\n\n").commit()
    review(repo, "--quick", home=home)
    await gone(hanging)
    assert list((home / "t").glob("prview-*")) == []
