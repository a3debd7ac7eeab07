"""What `stat` says of a file, and when that can be believed instead of reading it again.

A stamp that is still the same stands for the same bytes only under two conditions, both kept here:

- it had *settled* when the bytes were read: a change within the clock's grain of the reading could leave the
  stamp as it is (git's "racily clean" rule, git-update-index(1)); what has not settled is read again;
- the clock was not set back since (`epoch`): times that are lived through twice may give an old stamp to new
  bytes. After a reboot, too, everything is read once.

The change time decides, not the modification time, which `touch -d` and archives set at will. Bytes changed
through a shared memory mapping count once the system has written them back, as for every tool that stats.
"""

from __future__ import annotations

import time

TYPE_CHECKING = False  # importing typing costs more than a whole look at a small project
if TYPE_CHECKING:
    import os
    from typing import TypeAlias

    Stamp: TypeAlias = tuple[int, int, int, int, int, int]

SETTLED_NS = 2_000_000_000
"""Longer than the grain of a clock with nanoseconds (10 ms) and what `same_clock` lets pass, together."""

DRIFT_NS = 1_000_000_000
_COARSE_NS = 1_000_000


def stamp_of(found: os.stat_result) -> Stamp:
    """Return modification and change time (ns), size, inode, device and mode."""
    return (
        found.st_mtime_ns, found.st_ctime_ns, found.st_size, found.st_ino, found.st_dev, found.st_mode,
    )  # fmt: skip


def has_settled(stamp: Stamp, read_at_ns: int) -> bool:
    """Whether a file with this stamp cannot have changed since it was read without getting another one.

    Never on file systems that keep whole milliseconds or less: there, one time may be given out again after
    the clock was set back and forth.
    """
    return stamp[1] % _COARSE_NS != 0 and stamp[1] + SETTLED_NS < read_at_ns


def epoch() -> int:
    """Return the wall-clock moment (ns) at which this machine's uptime began; setting the clock moves it."""
    return time.time_ns() - time.clock_gettime_ns(getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC))


def same_clock(then: int, now: int) -> bool:
    """Whether no time can have been lived through twice between two moments with these epochs."""
    return abs(now - then) < DRIFT_NS
