from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oskit.process import ProcessIdentity, _table
from support.processes import wait_until

if TYPE_CHECKING:
    from pathlib import Path


@given(st.binary(max_size=16), st.sampled_from("RSDZTtXI"), st.integers(0, 2**40))
def test_a_program_may_have_any_name(name: bytes, state: str, start: int) -> None:
    numbers = " ".join(["0"] * 15)
    line = b"7 (" + name + f") {state} 1 2 3 {numbers} {start} 0 0\n".encode()
    assert _table.parse_stat(line) == _table.Row(7, 1, 2, 3, state not in "ZX", str(start))


def test_a_program_may_be_named_like_the_end_of_its_name(tmp_path: Path) -> None:
    program = tmp_path / "a) Z 1 (b"
    program.symlink_to("/bin/sleep")
    with subprocess.Popen([program, "300"]) as child:
        row = _table.read(child.pid)
        child.kill()
    assert row is not None
    assert (row.ppid, row.sid, row.alive) == (os.getpid(), os.getsid(0), True)


def test_ps_lines_become_rows_and_zombies_are_not_alive() -> None:
    text = (
        "    1     0     1 Ss   Mon Nov 30 19:21:00 2026\n  812     1   800 Z+   Mon Nov 30 19:22:01 2026\n"
    )
    assert _table.parse_ps(text) == {
        1: _table.Row(1, 0, 1, 0, True, "Mon-Nov-30-19:21:00-2026"),
        812: _table.Row(812, 1, 800, 0, False, "Mon-Nov-30-19:22:01-2026"),
    }


@pytest.mark.parametrize("has_proc", [True, False], ids=["proc", "ps"])
def test_both_readers_know_us_our_parent_and_our_group(
    monkeypatch: pytest.MonkeyPatch, has_proc: bool
) -> None:
    monkeypatch.setattr(_table, "HAS_PROC", has_proc)
    row = _table.read(os.getpid())
    assert row is not None
    assert (row.ppid, row.pgid, row.alive) == (os.getppid(), os.getpgid(0), True)
    assert _table.snapshot()[os.getpid()] == row
    assert _table.read(2**22 + 1) is None
    assert ProcessIdentity.current().is_alive()


def test_our_children_are_listed_whichever_thread_started_them() -> None:
    script = (
        "import os, subprocess, threading\n"
        "from oskit.process import _table\n"
        "pids = [subprocess.Popen(['sleep', '300']).pid]\n"
        "done = threading.Event()\n"
        "def start(): pids.append(subprocess.Popen(['sleep', '300']).pid); done.wait()\n"
        "thread = threading.Thread(target=start); thread.start()\n"
        "while len(pids) < 2: pass\n"
        "print(sorted(_table.own_children()) == sorted(pids)); done.set()\n"
        "for pid in pids: os.kill(pid, 9)\n"
    )
    done = subprocess.run([sys.executable, "-Wignore", "-c", script], capture_output=True, check=True)
    assert done.stdout == b"True\n"


def test_a_variable_is_found_wherever_it_stands_in_the_environment() -> None:
    environment = {"XA": "wrong", "A": "1=2", "B": ""}
    with subprocess.Popen(["sleep", "300"], env=environment) as child:
        wait_until(lambda: _table.environment_value(child.pid, b"XA") != b"")  # exec fills it a moment later
        values = {name: _table.environment_value(child.pid, name) for name in (b"XA", b"A", b"B", b"C")}
        child.kill()
    assert values == {b"XA": b"wrong", b"A": b"1=2", b"B": b"", b"C": b""}
    assert _table.environment_value(child.pid, b"A") == b""
