"""Our children: those we started here, and the orphans that the system gives us."""

from __future__ import annotations

import functools
import os
import sys

from oskit.process import _table as table

_PR_SET_CHILD_SUBREAPER = 36  # linux/prctl.h

_direct: set[int] = set()


def add_direct(pid: int) -> None:
    """Remember a child that we started here: only whoever started it collects its status."""
    _direct.add(pid)


def remove_direct(pid: int) -> None:
    """Forget a child whose status was collected."""
    _direct.discard(pid)


def is_direct(pid: int) -> bool:
    """Whether `pid` is a child that we started here and have not collected."""
    return pid in _direct


@functools.cache
def adopt_orphans() -> bool:
    """Have the system give us every orphan below us, so that no daemon escapes; False where it cannot."""
    if sys.platform != "linux":
        return False
    import ctypes  # 4 ms, only when a process is started

    try:
        prctl = ctypes.CDLL(None, use_errno=True).prctl
    except (OSError, AttributeError):
        return False
    return int(prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)) == 0


def other_children() -> list[int] | None:
    """Return our children except those we started here: adopted orphans, and what other libraries started.

    None when that cannot be told, and the whole table must be read to find what a program left behind.
    """
    children = table.own_children() if adopt_orphans() else None
    return None if children is None else [pid for pid in children if pid not in _direct]


def _begin_anew() -> None:
    _direct.clear()
    adopt_orphans.cache_clear()


os.register_at_fork(after_in_child=_begin_anew)  # what was known holds for the parent
