"""Whole trees of real programs, as tools meet them: daemons, dead supervisors, gigabytes, busy servers."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import anyio
import pytest

from oskit.process import ProcessIdentity, kill_tree, supervise
from support.processes import daemon_command, is_running, read_pid, wait_until

if TYPE_CHECKING:
    from pathlib import Path

GIGABYTE = """
import resource
from oskit.process import run_blocking
run_blocking(["true"], deadline_s=60)
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
done = run_blocking(["head", "-c", "1073741824", "/dev/zero"], capture_limit=100_000, deadline_s=100)
print(done.ok, done.stdout_total, len(done.stdout), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
"""

SERVER = """
import sys, threading
from pathlib import Path
from oskit.process import run_blocking
def work(number):
    run_blocking(["sh", "-c", f"setsid sleep 300 & sleep 300 & echo $$ > {sys.argv[1]}/{number}.new; "
                  f"mv {sys.argv[1]}/{number}.new {sys.argv[1]}/{number}; wait"], deadline_s=None)
for number in range(3):
    threading.Thread(target=work, args=(number,)).start()
"""


def processes_with(text: str) -> set[int]:
    """Return the processes whose environment carries `text`, as the system's own tool lists them."""
    listing = subprocess.run(
        ["ps", "-eo", "pid=", "e", "-ww"], capture_output=True, text=True, check=True
    ).stdout
    return {int(line.split()[0]) for line in listing.splitlines() if text in line}


def test_a_gigabyte_of_output_leaves_memory_flat() -> None:
    done = subprocess.run(
        [sys.executable, "-c", GIGABYTE], capture_output=True, text=True, check=True, timeout=110
    )
    ok, total, kept, grown_kib = done.stdout.split()
    assert (ok, total, kept) == ("True", str(2**30), "100000")
    assert int(grown_kib) < 8 * 1024


@pytest.mark.anyio
async def test_a_supervised_tool_that_supervises_others_leaves_nothing(tmp_path: Path) -> None:
    """One tool runs another: ending the outer one ends what the inner one was running, in sessions of its own."""
    async with supervise([sys.executable, "-c", SERVER, str(tmp_path)]):
        files = [tmp_path / str(number) for number in range(3)]
        leaders = [await anyio.to_thread.run_sync(read_pid, file) for file in files]
        assert all(is_running(pid) for pid in leaders)
    assert [pid for pid in leaders if is_running(pid)] == []
    assert processes_with(str(tmp_path)) == set()


def test_after_a_supervisor_was_killed_its_identity_leads_to_what_it_left(tmp_path: Path) -> None:
    with subprocess.Popen([sys.executable, "-c", SERVER, str(tmp_path)]) as supervisor:
        leaders = [read_pid(tmp_path / str(number)) for number in range(3)]
        identity = ProcessIdentity.of(supervisor.pid)
        assert identity is not None
        supervisor.kill()
        supervisor.wait()
    assert all(is_running(pid) for pid in leaders)
    assert kill_tree(identity) == 9
    assert [pid for pid in leaders if is_running(pid)] == []


def test_a_daemon_with_an_empty_environment_does_not_outlive_its_tool(tmp_path: Path) -> None:
    report = tmp_path / "pid"
    script = "import sys; from oskit.process import run_blocking; print(run_blocking(sys.argv[1:], deadline_s=60).ok)"
    done = subprocess.run(
        [sys.executable, "-c", script, *daemon_command(report, wipe=True)],
        capture_output=True,
        check=True,
        timeout=60,
    )
    assert done.stdout == b"True\n"
    assert not is_running(read_pid(report))


def test_a_tool_that_is_terminated_while_it_runs_programs_is_followed_by_them(tmp_path: Path) -> None:
    """SIGINT, as a person presses it, ends the tool through its own cleaning."""
    script = SERVER.partition("for number")[0] + "work(0)"
    with subprocess.Popen([sys.executable, "-c", script, str(tmp_path)], stderr=subprocess.DEVNULL) as tool:
        leader = read_pid(tmp_path / "0")
        tool.send_signal(2)
        wait_until(lambda: tool.poll() is not None)
    assert not is_running(leader)
