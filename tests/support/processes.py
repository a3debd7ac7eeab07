"""Small programs for tests of supervision, and bounded waiting for what they do."""

from __future__ import annotations

import contextlib
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

from oskit.process import ProcessIdentity

if TYPE_CHECKING:
    from collections.abc import Callable

DAEMON = """
import os, sys, time
report, wipe = sys.argv[1], sys.argv[2] == "wipe"
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        os.setsid() if os.getsid(0) == os.getpid() else None
        with open(report + ".new", "w") as file:
            file.write(str(os.getpid()))
        os.rename(report + ".new", report)
        devnull = os.open(os.devnull, os.O_RDWR)
        for number in range(3):
            os.dup2(devnull, number)
        environment = {} if wipe else dict(os.environ)
        os.execve("/bin/sleep", ["sleep", "300"], environment)
    os._exit(0)
os.wait()
while not os.path.exists(report):
    time.sleep(0.001)
"""
"""Starts a classic daemon (two forks, own session, no pipe of ours), which writes its pid, and exits."""


def daemon_command(report: Path, *, wipe: bool = False) -> list[str]:
    """Return the command of DAEMON; `wipe` gives the daemon an empty environment."""
    return [sys.executable, "-ISc", DAEMON, str(report), "wipe" if wipe else "keep"]


def wait_until(condition: Callable[[], bool], *, bound_s: float = 10.0) -> None:
    """Return as soon as `condition` holds; fail the test when it does not within `bound_s`."""
    deadline = time.monotonic() + bound_s
    while not condition():
        assert time.monotonic() < deadline, f"{condition} did not hold within {bound_s} s"
        time.sleep(0.002)


def read_pid(path: Path) -> int:
    """Wait for a program to write its pid to `path`, and return it."""
    wait_until(path.exists)
    return int(path.read_text())


def is_running(pid: int) -> bool:
    """Whether `pid` runs; a zombie does not."""
    return ProcessIdentity.of(pid) is not None


def children() -> set[int]:
    """Return the children of this process, zombies included."""
    found: set[int] = set()
    for task in Path("/proc/self/task").iterdir():
        with contextlib.suppress(FileNotFoundError, ProcessLookupError):  # a thread may end meanwhile
            found.update(map(int, (task / "children").read_text().split()))
    return found


def open_descriptors() -> set[str]:
    """Return what the open descriptors of this process point at, by number."""
    return {f"{number}:{target}" for number, target in descriptors("self").items()}


def descriptors(pid: int | str) -> dict[str, str]:
    """What the open descriptors of a process point at, by number; one that it closes meanwhile is left out."""
    found: dict[str, str] = {}
    for link in Path(f"/proc/{pid}/fd").iterdir():
        with contextlib.suppress(FileNotFoundError):
            found[link.name] = str(link.readlink())
    return found
