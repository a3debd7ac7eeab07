from __future__ import annotations

import os
import signal
import subprocess
import sys
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from oskit.process import ProcessIdentity, clean_environment, kill_tree, spawn_detached
from oskit.process._tree import send_signal
from support.processes import children, is_running, wait_until

if TYPE_CHECKING:
    from pathlib import Path

SH = "/bin/sh"


def words(path: Path, count: int) -> list[int]:
    wait_until(lambda: path.exists() and len(path.read_text().split()) == count)
    return [int(word) for word in path.read_text().split()]


@pytest.fixture
def foreign(tmp_path: Path) -> subprocess.Popen[bytes]:
    """A tree that was not started here in the supervisor's way: a leader, its child, and one in another session."""
    script = f"sleep 300 & setsid {SH} -c 'echo $$ >> {tmp_path}/pids; exec sleep 300' & echo $$ $! >> {tmp_path}/pids; wait"
    return subprocess.Popen([SH, "-c", script], start_new_session=True)


def test_a_tree_that_others_started_is_ended_with_its_sessions(
    foreign: subprocess.Popen[bytes], tmp_path: Path
) -> None:
    pids = words(tmp_path / "pids", 3)
    identity = ProcessIdentity.of(foreign.pid)
    assert identity is not None
    assert kill_tree(identity) == 3
    assert foreign.wait() == -signal.SIGTERM
    assert [pid for pid in pids if is_running(pid)] == []


def test_ending_a_tree_again_ends_nothing(foreign: subprocess.Popen[bytes], tmp_path: Path) -> None:
    words(tmp_path / "pids", 3)
    identity = ProcessIdentity.of(foreign.pid)
    assert identity is not None
    kill_tree(identity)
    assert kill_tree(identity) == 0
    foreign.wait()
    assert kill_tree(identity) == 0


def test_the_session_of_a_dead_leader_is_ended() -> None:
    command = [SH, "-c", "sleep 300 & echo $!; read line"]
    with subprocess.Popen(
        command, start_new_session=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as leader:
        identity = ProcessIdentity.of(leader.pid)
        assert identity is not None
        assert leader.stdout is not None
        left = int(leader.stdout.readline())
        assert leader.stdin is not None
        leader.stdin.close()
        leader.wait()
        assert is_running(left)
        assert kill_tree(identity) == 1
    assert not is_running(left)


def test_what_a_killed_supervisor_ran_is_found_through_its_identity(tmp_path: Path) -> None:
    """The programs of a supervisor lead their own sessions and are nobody's descendants once it is dead."""
    pids = tmp_path / "pids"
    script = (
        "import sys; from oskit.process import run_blocking\n"
        f"run_blocking(['{SH}', '-c', 'sleep 300 & echo $$ $! >> {pids}; wait'], deadline_s=None)"
    )
    with subprocess.Popen([sys.executable, "-c", script]) as supervisor:
        left = words(pids, 2)
        identity = ProcessIdentity.of(supervisor.pid)
        assert identity is not None
        supervisor.kill()
        supervisor.wait()
    assert all(is_running(pid) for pid in left)
    assert kill_tree(identity) == 2
    assert [pid for pid in left if is_running(pid)] == []


def test_a_process_that_got_the_number_of_a_dead_one_is_left_alone() -> None:
    with subprocess.Popen(["sleep", "300"], start_new_session=True) as innocent:
        identity = ProcessIdentity.of(innocent.pid)
        assert identity is not None
        recycled = replace(identity, start_time="an earlier moment")
        send_signal(recycled, signal.SIGKILL)
        assert kill_tree(recycled) == 0
        assert identity.is_alive()
        innocent.kill()
    assert innocent.returncode == -signal.SIGKILL


def test_what_ignores_sigterm_is_killed_after_the_grace(tmp_path: Path) -> None:
    before = children()
    script = f"trap '' TERM; sleep 300 & echo $$ $! > {tmp_path}/pids; while :; do wait; done"
    log = tmp_path / "log"
    identity = spawn_detached([SH, "-c", script], cwd=tmp_path, env=clean_environment(), log=log)
    words(tmp_path / "pids", 2)
    assert kill_tree(identity, grace_s=0.1) == 2
    wait_until(lambda: children() <= before)


def test_we_are_never_part_of_the_tree_that_we_end(tmp_path: Path) -> None:
    """A tool that ends the tree which it runs in ends the others."""
    script = (
        "import os; from oskit.process import ProcessIdentity, kill_tree\n"
        "leader = ProcessIdentity.of(os.getppid())\n"
        "print(kill_tree(leader, grace_s=0.1), flush=True)"
    )
    command = [SH, "-c", '"$0" -c "$1"; exit 3', sys.executable, script]
    done = subprocess.run(
        command, start_new_session=True, capture_output=True, env=dict(os.environ), check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (-signal.SIGTERM, b"1\n", b"")
