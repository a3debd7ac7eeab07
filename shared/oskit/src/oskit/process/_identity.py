"""Which process: its number alone is given out again, its number and start time are not."""

from __future__ import annotations

import functools
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from oskit.process import _table as table


@dataclass(frozen=True, slots=True)
class ProcessIdentity:
    """A process of this machine since it was started. `start_time` is opaque: compare it, do not read it."""

    pid: int
    start_time: str

    @classmethod
    def current(cls) -> Self:
        """Return our own identity."""
        identity = cls.of(os.getpid())
        if identity is None:
            raise RuntimeError("the process table does not list this process; is /proc mounted?")
        return identity

    @classmethod
    def of(cls, pid: int) -> Self | None:
        """Return the identity of the living process `pid`; None when there is none or it is a zombie."""
        row = table.read(pid) if pid > 0 else None
        return cls.from_row(row) if row and row.alive else None

    @classmethod
    def from_row(cls, row: table.Row) -> Self:
        """Return the identity of a process that was read from the table, alive or not."""
        return cls(row.pid, f"{_boot()}:{row.start}")

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read what `str()` wrote, or raise ValueError."""
        pid, at, start_time = text.partition("@")
        if not (
            at and start_time and pid.isascii() and pid.isdecimal() and str(int(pid)) == pid and int(pid) > 0
        ):
            raise ValueError(f"not a process identity: {text[:100]!r} (expected <pid>@<start time>)")
        return cls(int(pid), start_time)

    def is_alive(self) -> bool:
        """Whether this very process runs: not a zombie, and not another process that got its number."""
        return type(self).of(self.pid) == self

    def row(self) -> table.Row | None:
        """Return its row of the process table, zombies included, or None when it is gone."""
        row = table.read(self.pid)
        return row if row and type(self).from_row(row) == self else None

    def __str__(self) -> str:
        return f"{self.pid}@{self.start_time}"


@functools.cache
def _boot() -> str:
    """Name this run of the machine: start times count from its boot, and pids begin anew."""
    try:
        return Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
    except OSError:
        return "dated"  # `ps` gives calendar times, which need no boot to be told apart
