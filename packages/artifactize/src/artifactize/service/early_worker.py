"""A worker process that is started before it is known to be needed, and imports while its client plans.

It reads nothing of a project and writes nothing until it is told which one it works for. When its client ends
without that, it sees the end of its standard input and ends, too.
"""

from __future__ import annotations

import contextlib
import json
import os
import socket
import sqlite3
import sys
from dataclasses import dataclass
from pathlib import Path

from artifactize.store import recalled
from oskit.process import ProcessError, ProcessIdentity, clean_environment, spawn_detached

KEPT = ("ARTIFACTIZE_WORKER_IDLE_S",)
"""What a worker is told by variables of whoever starts it."""

_waiting: list[EarlyWorker] = []


@dataclass(frozen=True, slots=True)
class EarlyWorker:
    """A process that waits for `begin`; `pipe` is our end of its standard input."""

    identity: ProcessIdentity
    pipe: int

    def begin(self, root: Path, state_dir: Path) -> bool:
        """Tell it for what to work; false when it has ended already."""
        told = json.dumps([os.fspath(root), os.fspath(state_dir)]).encode() + b"\n"
        try:
            os.write(self.pipe, told)  # shorter than what a pipe takes in one piece
        except OSError:
            return False
        finally:
            os.close(self.pipe)
        return self.identity.is_alive()


def prepare(root: str, state_dir: str) -> None:
    """Start a worker process early, unless this project has one. A failure shows when it is needed."""
    if _waiting or _has_worker(root, state_dir):
        return
    # -P: the working directory is never a place to import from
    argv = [sys.executable, "-P", "-m", "artifactize", "worker", "--told"]
    reading, writing = os.pipe()
    try:
        started = spawn_detached(
            argv, cwd=Path("/"), env=clean_environment(keep=KEPT), log=Path(os.devnull), stdin=reading
        )
    except ProcessError:
        os.close(writing)
        return
    finally:
        os.close(reading)
    _waiting.append(EarlyWorker(started, writing))


def start_asked(root: str, state_dir: str) -> socket.socket | None:
    """Start a worker process and return the connection at which it will be asked; None when there is one.

    It speaks as one behind its door does (`service.door`), once it is loaded, and reads and writes nothing
    before it is asked.
    """
    if _has_worker(root, state_dir):
        return None
    ours, theirs = socket.socketpair()
    argv = [sys.executable, "-P", "-m", "artifactize", "worker", "--asked"]  # -P: as above
    with theirs:
        try:
            spawn_detached(
                argv,
                cwd=Path("/"),
                env=clean_environment(keep=KEPT),
                log=Path(os.devnull),
                stdin=theirs.fileno(),
            )
        except ProcessError:
            ours.close()
            return None
    return ours


def asked_at() -> socket.socket:
    """In that process: return the connection to whoever started it, which its children shall not have."""
    found = socket.socket(fileno=os.dup(0))
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    return found


def take() -> EarlyWorker | None:
    """Return the process that waits, once."""
    return _waiting.pop() if _waiting else None


def told() -> tuple[Path, Path] | None:
    """In that process: wait for `begin`, and return the project and the state; None when none comes."""
    line = sys.stdin.buffer.readline()
    if not line.endswith(b"\n"):
        return None
    root, state_dir = json.loads(line)
    return Path(root), Path(state_dir)


def log_to(file: Path) -> None:
    """Let this process say what it has to say in a file that only its owner reads. Raises OSError."""
    output = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW, 0o600)
    os.dup2(output, 1)
    os.dup2(output, 2)
    os.close(output)


def _has_worker(root: str, state_dir: str) -> bool:
    if not os.path.exists(f"{state_dir}/{recalled.FILE}"):  # noqa: PTH110 - a text, as where it came from
        return False
    with contextlib.suppress(sqlite3.Error, ValueError):
        with recalled.opened(state_dir, writing=False) as connection:
            owner = recalled.worker(connection, root)
        return owner is not None and ProcessIdentity.parse(owner).is_alive()
    return False
