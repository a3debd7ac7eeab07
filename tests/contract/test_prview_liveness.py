"""Running, stale, failed, cancelled, timed out, locked: what prview says of runs that are not finished."""

from __future__ import annotations

import json
import os
import shutil
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import anyio
import pytest

from oskit.locks import FileLock
from oskit.process import ProcessIdentity
from support.prview_client import (
    GATE,
    SCHEMA_VERSION,
    Tools,
    gone,
    kept_runs,
    kill,
    pid_in,
    serving,
    until_done,
)
from support.prview_project import CORE, own_tool, project, review

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from support.repos import GitRepo

pytestmark = pytest.mark.anyio


@pytest.fixture
def repo(tmp_path: Path) -> GitRepo:
    """A project whose branch `topic` adds a warning."""
    repo = project(tmp_path / "repo")
    repo.write("src/pkg/core.py", "import os\n\n\n" + CORE).commit()
    return repo


HANGING = "#!/bin/sh\ncase $1 in --version) echo ruff 1;; *) setsid sleep 300 & echo $! > '{}'; wait;; esac\n"


@asynccontextmanager
async def hanging_run(prview: Tools, repo: GitRepo, home: Path) -> AsyncIterator[str]:
    """A deep run whose linter never ends."""
    mark = home / "pid-of-sleep"
    own_tool(repo, "ruff", HANGING.format(mark))
    run_id = (await prview.ask("run_review", repo=str(repo.path), profile="deep"))["run_id"]
    hanging = await pid_in(mark)
    try:
        yield run_id
    finally:
        kill(_owner(home))
        kill(hanging)


def _owner(home: Path) -> int:
    """The process that works on the one run that is not finished."""
    (marker,) = (home / "prview/runs").glob("*/*/*.partial/RUNNING.json")
    return int(json.loads(marker.read_text())["pid"])


async def test_a_live_run_is_in_progress_and_holds_its_branch(
    repo: GitRepo, home: Path, tmp_path: Path
) -> None:
    async with serving(home) as prview:
        async with hanging_run(prview, repo, home) as run_id:
            verdict = await prview.ask("verdict", repo=str(repo.path), run_id=run_id)
            assert isinstance(verdict.pop("elapsed_s"), float)
            assert verdict.pop("started_at")
            assert verdict == {
                "run_id": run_id,
                "commit": repo.head[:7],
                "status": "in_progress",
                "base_used": ["main"],
                "run_status": "running",
                "retry_after_ms": 5000,
                "schema_version": SCHEMA_VERSION,
            }
            state = await prview.ask("state", repo=str(repo.path))
            assert state["latest_run_for_head"]["status"] == "in_progress"
            assert {"started_at", "elapsed_s"} <= set(state["latest_run_for_head"])

            for profile in ("quick", "deep"):
                locked = await prview.fail("run_review", repo=str(repo.path), profile=profile)
                assert (locked["error_class"], locked["active_run_id"]) == ("storage_locked", run_id)
                assert locked["retry_after_ms"] == 5000

            stale = await prview.fail("findings", repo=str(repo.path), run_id=run_id)
            assert (stale["error_class"], stale["retry_after_ms"]) == ("stale_run", 5000)
            assert "verdict" in stale["message"]
            log = await prview.ask("read_artifact", repo=str(repo.path), run_id=run_id, artifact="run.log")
            assert repo.head in log["content"]
            unfinished = await prview.fail("read_artifact", repo=str(repo.path), run_id=run_id, artifact=GATE)
            assert unfinished["error_class"] == "stale_run"
        assert kept_runs(home) == [run_id]


async def test_a_run_whose_process_died_is_stale_and_frees_its_branch(repo: GitRepo, home: Path) -> None:
    async with serving(home) as prview, hanging_run(prview, repo, home) as run_id:
        kill(_owner(home))
        verdict = await until_done(prview, repo, run_id)
        assert (verdict["status"], bool(verdict["started_at"])) == ("stale", True)
        assert "verdict" not in verdict
        stale = await prview.fail("findings", repo=str(repo.path), run_id=run_id)
        assert (stale["error_class"], "retry_after_ms" in stale) == ("stale_run", False)
        shutil.rmtree(repo.path / ".venv")
        again = await prview.ask("run_review", repo=str(repo.path))
        assert again["status"] == "completed"


def _pretend_running(pack: Path, *, commit: str, process: str) -> None:
    """Turn a pack into a run that `process` works on."""
    run_id = "20990101-000000-abcdef0"
    marker = {
        "run_id": run_id,
        "process": process,
        "pid": os.getpid(),
        "commit": commit,
        "branch": "topic",
        "base_used": ["main"],
        "profile": "deep",
        "started_at": "2026-01-01T00:00:00.000Z",
    }
    partial = pack.rename(pack.with_name(f"{run_id}.partial"))
    (partial / "RUNNING.json").write_text(json.dumps(marker))


async def test_a_reused_pid_does_not_make_a_dead_run_alive(repo: GitRepo, home: Path) -> None:
    async with serving(home) as prview:
        run = await prview.ask("run_review", repo=str(repo.path))
        pack = Path(run["artifact_paths"]["pack"])
        _pretend_running(pack, commit=repo.head, process=f"{os.getpid()}@some-boot:1")
        assert (await prview.ask("verdict", repo=str(repo.path)))["status"] == "stale"


async def test_a_review_beyond_its_budget_times_out_with_its_whole_tree(
    repo: GitRepo, home: Path, tmp_path: Path
) -> None:
    mark = tmp_path / "pid-of-sleep"
    own_tool(repo, "ruff", HANGING.format(mark))
    async with serving(home, env={"PRVIEW_QUICK_BUDGET_S": "4"}) as prview:
        error = await prview.fail("run_review", repo=str(repo.path))
        assert (error["error_class"], error["retry_hint"]) == ("run_timeout", {"profile": "deep"})
        assert ProcessIdentity.of(int(mark.read_text())) is None
        verdict = await prview.ask("verdict", repo=str(repo.path), run_id=error["run_id"])
        assert (verdict["status"], verdict["base_used"]) == ("failed", [])
        log = await prview.ask(
            "read_artifact", repo=str(repo.path), run_id=error["run_id"], artifact="run.log"
        )
        assert repo.head in log["content"]


async def test_a_cancelled_review_is_ended_and_leaves_a_failed_run(
    repo: GitRepo, home: Path, tmp_path: Path
) -> None:
    mark = tmp_path / "pid-of-sleep"
    own_tool(repo, "ruff", HANGING.format(mark))
    async with serving(home) as prview:
        async with anyio.create_task_group() as group:
            group.start_soon(prview.client.call_tool, "run_review", {"repo": str(repo.path)})
            hanging = await pid_in(mark)
            group.cancel_scope.cancel()
        await gone(hanging)
        assert (await until_done(prview, repo))["status"] == "failed"


async def test_a_caller_that_asks_hears_how_far_a_review_is(repo: GitRepo, home: Path) -> None:
    heard: list[float] = []

    async def listen(done: float, total: float | None, message: str | None) -> None:
        heard.append(done)

    async with serving(home) as prview:
        await prview.client.call_tool("run_review", {"repo": str(repo.path)}, progress_callback=listen)
    assert heard
    assert heard == sorted(set(heard))


async def test_a_branch_that_a_person_reviews_is_locked_for_the_agent(repo: GitRepo, home: Path) -> None:
    done = review(repo, "--quick", home=home)
    lock = FileLock(done.pack.parent / ".lock").acquire({"run_id": "20200101-000000-abcdef0"})
    async with serving(home) as prview:
        error = await prview.fail("run_review", repo=str(repo.path))
        assert (error["error_class"], error["active_run_id"]) == ("storage_locked", "20200101-000000-abcdef0")
        lock.release()
        assert (await prview.ask("run_review", repo=str(repo.path)))["status"] == "completed"
