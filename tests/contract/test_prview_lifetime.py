"""What becomes of reviews when server, host, disk or environment fail them."""

from __future__ import annotations

import json
import signal
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from mcpkit.testing import RawServer
from mcpkit.testing.raw import call_params
from oskit.locks import FileLock, LockHeldError
from prview.store.home import Home
from prview.store.runs import list_runs
from support.processes import is_running, wait_until
from support.prview_client import kill
from support.prview_project import CORE, PRVIEW, environment, own_tool, project

if TYPE_CHECKING:
    from prview.store.home import BranchRuns
    from support.repos import GitRepo

BOUND_S = 60.0
HANGING = "#!/bin/sh\ncase $1 in --version) echo ruff 1;; *) sleep 300 & echo $! > '{}'; wait;; esac\n"
WAITING = "#!/bin/sh\ncase $1 in --version) echo ruff 1;; *) echo $$ > '{}'; until [ -e '{}' ]; do sleep 0.1; done;; esac\n"
WITHOUT_GIT = (
    "import oskit.git._environment as places; places._USUAL_FOLDERS = (); from prview.cli import main; main()"
)
READING = ("state", "verdict", "findings", "run_review")


@pytest.fixture
def repo(tmp_path: Path) -> GitRepo:
    """A project whose branch `topic` adds a warning."""
    repo = project(tmp_path / "repo")
    repo.write("src/pkg/core.py", "import os\n\n\n" + CORE).commit()
    return repo


def ask(server: RawServer, tool: str, **arguments: object) -> Any:
    """The object that a tool answers with, of success and of failure."""
    return json.loads(server.call(tool, arguments)["content"][0]["text"])


def pid_in(mark: Path) -> int:
    """The number that a tool writes there."""
    wait_until(lambda: mark.exists() and mark.read_text().endswith("\n"), bound_s=BOUND_S)
    return int(mark.read_text())


def only_branch(home: Path) -> BranchRuns:
    """The branch that has runs."""
    (repository,) = Home(home / "prview").repositories()
    (branch,) = repository.branches()
    return branch


def statuses(home: Path) -> list[str]:
    """What every run on disk reads as."""
    return [run.status for run in list_runs(only_branch(home))]


def is_free(branch: BranchRuns) -> bool:
    """Whether a review could begin."""
    try:
        FileLock(branch.lock_path).acquire().release()
    except LockHeldError:
        return False
    return True


@pytest.mark.parametrize("ending", ["the server is killed", "the host is gone"])
def test_a_quick_review_ends_with_its_server_and_frees_the_branch(
    repo: GitRepo, home: Path, tmp_path: Path, ending: str
) -> None:
    """Nobody is left who would end it in time. Until then its heart beats for who asked to hear it."""
    mark = tmp_path / "pid-of-sleep"
    own_tool(repo, "ruff", HANGING.format(mark))
    killed = ending == "the server is killed"
    with RawServer([*PRVIEW, "mcp"], env=environment(home), cwd=home, timeout=BOUND_S) as server:
        server.handshake()
        token = "heart" if killed else None
        server.begin("tools/call", call_params("run_review", {"repo": str(repo.path)}, token=token))
        hanging = pid_in(mark)
        if killed:
            wait_until(lambda: len(beats(server)) > 1, bound_s=BOUND_S)
            server.process.send_signal(signal.SIGKILL)
        else:
            server.close_stdin()
        server.wait()
        assert server.at_end()
        assert beats(server) == sorted(set(beats(server)))
        assert bool(beats(server)) == killed
    wait_until(lambda: not is_running(hanging), bound_s=BOUND_S)
    wait_until(lambda: statuses(home) == ["failed"], bound_s=BOUND_S)
    wait_until(lambda: is_free(only_branch(home)), bound_s=BOUND_S)
    (run,) = list_runs(only_branch(home))
    assert run.failure is not None
    assert ("is gone" if killed else "cancelled") in run.failure.message


def test_a_review_process_that_is_killed_is_a_failed_run_and_the_next_one_blocks(
    repo: GitRepo, home: Path, tmp_path: Path
) -> None:
    """What is on disk decides: a process that ended badly has no pack, one with a BLOCK (exit code 1) has."""
    mark = tmp_path / "pid-of-sleep"
    own_tool(repo, "ruff", HANGING.format(mark))
    repo.write("src/pkg/core.py", "<<<<<<< ours\n" + CORE + "=======\n>>>>>>> theirs\n").commit()
    with RawServer([*PRVIEW, "mcp"], env=environment(home), cwd=home, timeout=BOUND_S) as server:
        server.handshake()
        asked = server.begin("tools/call", call_params("run_review", {"repo": str(repo.path)}))
        hanging = pid_in(mark)
        (marker,) = only_branch(home).folder.glob("*.partial/RUNNING.json")
        kill(json.loads(marker.read_text())["pid"])
        error = json.loads(server.answer(asked)["result"]["content"][0]["text"])
        assert (error["error_class"], "exit code -9" in error["message"]) == ("run_failed", True)
        wait_until(lambda: not is_running(hanging), bound_s=BOUND_S)
        assert ask(server, "verdict", repo=str(repo.path))["status"] == "failed"

        own_tool(repo, "ruff", "#!/bin/sh\nexec false\n")
        done = ask(server, "run_review", repo=str(repo.path))
        assert (done["status"], done["verdict"], done["allow_merge"]) == ("completed", "BLOCK", False)
        assert done["merge_recommendation"] == "block"
        assert done["blocking_issues"]


def beats(server: RawServer) -> list[float]:
    """The amounts of the progress notifications."""
    return [params["progress"] for params in server.notifications("notifications/progress")]


def test_a_deep_review_holds_no_pipe_of_the_host_and_another_server_finds_its_verdict(
    repo: GitRepo, home: Path, tmp_path: Path
) -> None:
    mark, go = tmp_path / "pid-of-tool", tmp_path / "go"
    own_tool(repo, "ruff", WAITING.format(mark, go))
    command = [*PRVIEW, "mcp"]
    with RawServer(command, env=environment(home), cwd=home, reads_stderr=False, timeout=BOUND_S) as server:
        server.handshake()
        run_id = ask(server, "run_review", repo=str(repo.path), profile="deep")["run_id"]
        working = pid_in(mark)
        server.process.send_signal(signal.SIGKILL)
        assert server.at_end()
        assert server.process.stderr is not None
        server.process.stderr.read()  # returns when nobody holds it any more
    try:
        assert is_running(working), "the review goes on while the host has seen the end of all pipes"
        assert statuses(home) == ["in_progress"]
        go.touch()
        with RawServer(command, env=environment(home), cwd=home, timeout=BOUND_S) as another:
            another.handshake()

            def done() -> bool:
                return bool(
                    ask(another, "verdict", repo=str(repo.path), run_id=run_id)["status"] == "completed"
                )

            wait_until(done, bound_s=BOUND_S)
    finally:
        kill(working)
    wait_until(lambda: is_free(only_branch(home)), bound_s=BOUND_S)


def test_a_full_disk_leaves_a_failed_run_that_says_so(repo: GitRepo, home: Path) -> None:
    """No file can grow beyond 30 KB, and the patch is larger."""
    repo.write("big.txt", "".join(f"line {number}\n" for number in range(20_000))).commit()
    limited = ["/bin/sh", "-c", 'ulimit -f 60; exec "$@"', "sh", *PRVIEW, "mcp"]
    with RawServer(limited, env=environment(home), cwd=home, timeout=BOUND_S) as server:
        server.handshake()
        error = ask(server, "run_review", repo=str(repo.path))
        assert error["error_class"] == "run_failed"
        assert "File too large" in error["message"]
        assert "free some space" in error["message"]
        answer = ask(server, "verdict", repo=str(repo.path), run_id=error["run_id"])
        assert (answer["status"], answer["base_used"], "verdict" in answer) == ("failed", [], False)
        log = ask(server, "read_artifact", repo=str(repo.path), run_id=error["run_id"], artifact="run.log")
        assert repo.head in log["content"]
    assert is_free(only_branch(home))


def test_nothing_depends_on_folder_home_path_and_language(repo: GitRepo, home: Path, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    strange = {
        "PATH": "",
        "HOME": str(tmp_path / "file/home"),
        "LANG": "tr_TR.UTF-8",
        "LC_ALL": "xx_XX.KOI8-R",
        "PYTHONIOENCODING": "ascii",
        "TZ": "Nowhere/Land",
    }
    repo.write("çöğü.py", "x = 1\n").commit("İ")
    with RawServer(
        [*PRVIEW, "mcp"], env={**environment(home), **strange}, cwd=Path("/"), timeout=BOUND_S
    ) as server:
        server.handshake()
        assert ask(server, "health")["deps_global"] == {"git": True}
        state = ask(server, "state", repo=str(repo.path))
        assert (state["branch"], state["dirty"], state["files_changed"]) == ("topic", False, 2)
        done = ask(server, "run_review", repo=str(repo.path))
        assert (done["status"], done["commit"]) == ("completed", repo.head[:7])
        assert ask(server, "verdict", repo=str(repo.path))["run_id"] == done["run_id"]


def test_a_home_that_cannot_be_written_is_told_by_the_call_that_writes(
    repo: GitRepo, home: Path, tmp_path: Path
) -> None:
    (tmp_path / "file").touch()
    env = {**environment(home), "HOME": str(tmp_path / "file/home")}
    del env["PRVIEW_HOME"]
    with RawServer([*PRVIEW, "mcp"], env=env, cwd=home, timeout=BOUND_S) as server:
        server.handshake()
        assert ask(server, "health")["deps_global"] == {"git": True}
        error = ask(server, "run_review", repo=str(repo.path))
        assert error["error_class"] == "run_failed"
        assert str(tmp_path / "file/home/.prview") in error["message"]
        assert "PRVIEW_HOME" in error["message"]


def test_where_git_is_not_installed_every_tool_of_a_repository_is_tool_missing(
    repo: GitRepo, home: Path, tmp_path: Path
) -> None:
    """A server that starts, on a machine that has no git in PATH and in none of the usual places."""
    command = [sys.executable, "-P", "-c", WITHOUT_GIT, "mcp"]
    env = {**environment(home), "PATH": str(tmp_path)}
    with RawServer(command, env=env, cwd=home, timeout=BOUND_S) as server:
        server.handshake()
        assert ask(server, "health")["deps_global"] == {"git": False}
        for tool in ("health", *READING):
            error = ask(server, tool, repo=str(repo.path))
            assert (error["error_class"], "Install git" in error["message"]) == ("tool_missing", True)
        read = ask(server, "read_artifact", repo=str(repo.path), run_id="20260101-000000", artifact="run.log")
        assert read["error_class"] == "tool_missing"
