"""Who started whom: our own children, orphans that we adopt, and the mark that every descendant inherits.

A daemon leaves its session and its parent, but not its ancestry. On Linux we become the reaper of
orphans below us, so whatever a program leaves behind is given to us; and each program is started with a
token in its environment, so we can tell which program it came from. The token begins with the identity
of the process that started it, which lets another process find what a dead one left (`token_prefix`).
"""

from __future__ import annotations

import functools
import itertools
import os
import sys

from oskit.process import table
from oskit.process.identity import ProcessIdentity

VARIABLE = "OSKIT_TREE"
_SEPARATOR = ":"
_PR_SET_CHILD_SUBREAPER = 36  # linux/prctl.h

_serial = itertools.count(1)
_direct: set[int] = set()


def forget_parent() -> None:
    """Begin anew in a forked child: what was known belongs to the parent."""
    _direct.clear()
    _adopt_orphans.cache_clear()
    _own_prefix.cache_clear()


os.register_at_fork(after_in_child=forget_parent)


def new_token() -> str:
    """Return a token that no other program started on this machine since its boot carries."""
    return f"{_own_prefix()}{next(_serial)}."


def token_prefix(identity: ProcessIdentity) -> str:
    """Return what the tokens of every program started by `identity` begin with."""
    return f"{identity.pid}.{identity.start_time.rpartition(':')[2]}."


def marked(environment: dict[str, str], token: str) -> dict[str, str]:
    """Return `environment` with `token` after the tokens that we carry ourselves."""
    carried = os.environ.get(VARIABLE)
    return environment | {VARIABLE: f"{carried}{_SEPARATOR}{token}" if carried else token}


def unmarked(environment: dict[str, str]) -> dict[str, str]:
    """Return `environment` without tokens, for what is meant to outlive us."""
    return {name: value for name, value in environment.items() if name != VARIABLE}


def tokens_of(pid: int) -> list[str]:
    """Return the tokens that the environment of `pid` carries, outermost first."""
    value = table.environment_value(pid, VARIABLE.encode())
    return value.decode(errors="replace").split(_SEPARATOR) if value else []


def add_direct(pid: int) -> None:
    """Remember a child that we started ourselves: whoever started it also collects its status."""
    _direct.add(pid)


def remove_direct(pid: int) -> None:
    """Forget a child whose status was collected."""
    _direct.discard(pid)


def is_direct(pid: int) -> bool:
    """Whether `pid` is a child that we started and have not collected."""
    return pid in _direct


def adopts_orphans() -> bool:
    """Become the process that adopts orphans below us, once; False where the kernel has no such thing."""
    return _adopt_orphans()


def other_children() -> list[int] | None:
    """Return our children except those we started here: adopted orphans, and children of other libraries.

    None when that cannot be told, and the whole table must be read to find what a program left behind.
    """
    children = table.own_children() if adopts_orphans() else None
    return None if children is None else [pid for pid in children if pid not in _direct]


@functools.cache
def _own_prefix() -> str:
    return token_prefix(ProcessIdentity.current())


@functools.cache
def _adopt_orphans() -> bool:
    if sys.platform != "linux":
        return False
    import ctypes  # 4 ms, only when a process is started

    try:
        prctl = ctypes.CDLL(None, use_errno=True).prctl
    except (OSError, AttributeError):
        return False
    return int(prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)) == 0
