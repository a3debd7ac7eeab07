"""Collecting the status of children that nobody waits for, so that none stays a zombie while we live."""

from __future__ import annotations

import contextlib
import functools
import os
import threading
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from oskit.process import _table as table
    from oskit.process._start import Child


def collect_later(child: Child) -> None:
    """Wait for the end of `child` in a thread that does not keep our process alive."""
    wait = functools.partial(child.collect, block=True)
    threading.Thread(target=wait, name=f"oskit-collect-{child.identity.pid}", daemon=True).start()


def collect(pid: int) -> None:
    """Take the status of a dead child that was given to us, and drop it."""
    with contextlib.suppress(ChildProcessError):
        os.waitpid(pid, os.WNOHANG)


def collect_stranger(row: table.Row) -> None:
    """Collect a dead child of ours that nobody can be waiting for: an orphan that was given to us.

    Told by its session: what this process starts, in whatever library, is in our session or begins its own.
    """
    if not row.alive and row.sid not in {row.pid, os.getsid(0)}:
        collect(row.pid)
