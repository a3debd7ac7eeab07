"""The kernel's table of processes, read from /proc where there is one, else from `ps`.

Both readers give the same rows; `read` and `snapshot` choose. Only Linux can also tell the environment
of another process and whom we adopted.
"""

from __future__ import annotations

import contextlib
import os
import sys
from dataclasses import dataclass
from pathlib import Path

_PROC = Path("/proc")
HAS_PROC = sys.platform == "linux"


@dataclass(frozen=True, slots=True)
class Row:
    """One process: its parent, group and session, whether it lives, and when it started (opaque)."""

    pid: int
    ppid: int
    pgid: int
    sid: int
    alive: bool
    start: str


def read(pid: int) -> Row | None:
    """Return the row of `pid`, zombies included, or None when there is no such process."""
    if not HAS_PROC:
        return next(iter(_ps("-p", str(pid)).values()), None)
    try:
        return parse_stat(_PROC.joinpath(str(pid), "stat").read_bytes())
    except OSError:
        return None


def snapshot() -> dict[int, Row]:
    """Return every process that we may see, by pid."""
    if not HAS_PROC:
        return _ps("-A")
    rows = (read(int(name)) for name in os.listdir(_PROC) if name.isdecimal())  # noqa: PTH208 - names are enough
    return {row.pid: row for row in rows if row}


def own_children() -> list[int] | None:
    """Return our children, adopted orphans included, at little cost; None when the kernel cannot tell."""
    try:
        threads = [task.joinpath("children") for task in _PROC.joinpath("self", "task").iterdir()]
    except OSError:
        return None
    children: list[int] = []
    for path in threads:
        try:
            children += map(int, path.read_bytes().split())
        except FileNotFoundError:
            if path.parent.exists():
                return None  # the thread is there and its file is not: a kernel without CONFIG_PROC_CHILDREN
    return children


def environment_value(pid: int, name: bytes) -> bytes:
    """Return a variable that `pid` was started with; empty when it is unset or not ours to read."""
    environment = b""
    with contextlib.suppress(OSError):
        environment = b"\0" + _PROC.joinpath(str(pid), "environ").read_bytes()
    _, found, rest = environment.partition(b"\0" + name + b"=")
    return rest.partition(b"\0")[0] if found else b""


def realtime_limit(pid: int) -> int | None:
    """Return the soft RLIMIT_RTTIME of `pid`, zombies included, in microseconds; None when unlimited."""
    try:
        lines = _PROC.joinpath(str(pid), "limits").read_bytes().splitlines()
    except OSError:
        return None
    values = [line.split()[3] for line in lines if line.startswith(b"Max realtime timeout")]
    return int(values[0]) if values and values[0].isdigit() else None


def parse_stat(text: bytes) -> Row:
    """Read /proc/<pid>/stat (proc(5)); the name in parentheses may hold spaces and parentheses itself."""
    pid, _, rest = text.partition(b" ")
    state, ppid, pgid, sid, *others = rest.rpartition(b")")[2].split()
    return Row(int(pid), int(ppid), int(pgid), int(sid), state not in {b"Z", b"X", b"x"}, others[15].decode())


def parse_ps(text: str) -> dict[int, Row]:
    """Read what `ps -o pid=,ppid=,pgid=,state=,lstart=` prints; sessions cannot be asked for portably."""
    rows = {}
    for line in text.splitlines():
        pid, ppid, pgid, state, start = line.split(None, 4)
        alive = not state.startswith("Z")
        rows[int(pid)] = Row(int(pid), int(ppid), int(pgid), 0, alive, "-".join(start.split()))
    return rows


def _ps(*selection: str) -> dict[int, Row]:
    import subprocess  # 10 ms that Linux does not need

    command = ["/bin/ps", *selection, "-o", "pid=,ppid=,pgid=,state=,lstart="]
    environment = {
        "PATH": "/usr/bin:/bin",
        "LC_ALL": "C",
        "TZ": "UTC",
    }  # the start must read the same in every process
    done = subprocess.run(
        command, env=environment, stdin=subprocess.DEVNULL, capture_output=True, timeout=10, check=False
    )
    return parse_ps(done.stdout.decode(errors="replace"))
