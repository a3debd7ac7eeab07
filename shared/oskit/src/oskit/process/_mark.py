"""The marks that every descendant of a program inherits, so that what it leaves behind is known as its own.

Two, since each has a hole that the other closes:

- a token in the environment. It is lost to `env -i`, to daemons that write their title over their
environment (PostgreSQL, nginx), and in zombies. - on Linux, an odd number as the soft limit of real-time
computing (RLIMIT_RTTIME: by default unlimited, and the number is 70,000 years). Nobody sets it, and
zombies keep it; a system may lack it or refuse to change it.

Both begin with what follows from the identity of the process that started the program, so that what a killed
supervisor left can be found.
"""

from __future__ import annotations

import contextlib
import functools
import itertools
import os
import resource
import sys
import threading
import zlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

from oskit.process import _lineage as lineage
from oskit.process import _table as table
from oskit.process._identity import ProcessIdentity

if TYPE_CHECKING:
    from collections.abc import Iterator

VARIABLE = "OSKIT_TREE"
_SEPARATOR = ":"

_LEAST_LIMIT = 1 << 61
_SERIALS = 1 << 24

_serial = itertools.count(1)


@dataclass(frozen=True, slots=True)
class Mark:
    """What the processes of one program carry: a token that begins with `prefix`, or one of `limits`.

    `made_here` says that only descendants of this process can carry it.
    """

    prefix: str
    limits: range
    made_here: bool = False

    @classmethod
    def new(cls) -> Mark:
        """Return a mark that nothing on this machine carries yet."""
        serial = next(_serial)
        own = _of_current()
        limit = own.limits[serial % _SERIALS]
        return cls(f"{own.prefix}{serial}.", range(limit, limit + 1), made_here=True)

    @classmethod
    def of_supervisor(cls, identity: ProcessIdentity) -> Mark:
        """Return the mark of everything that `identity` ever started."""
        prefix = f"{identity.pid}.{identity.start_time.rpartition(':')[2]}."
        first = _LEAST_LIMIT + zlib.crc32(prefix.encode()) * _SERIALS
        return cls(prefix, range(first, first + _SERIALS))

    def in_environment(self, environment: dict[str, str]) -> dict[str, str]:
        """Return `environment` with our token after those that we carry ourselves."""
        carried = os.environ.get(VARIABLE)
        value = f"{carried}{_SEPARATOR}{self.prefix}" if carried else self.prefix
        return environment | {VARIABLE: value}

    def is_on(self, pid: int) -> bool:
        """Whether `pid`, which may be a zombie, carries the token or the limit."""
        return self.has_token(pid) or self.has_limit(pid)

    def has_limit(self, pid: int) -> bool:
        """Whether `pid` carries the limit."""
        limit = table.realtime_limit(pid)
        return limit is not None and limit in self.limits  # a range is searched for None one by one

    def has_token(self, pid: int) -> bool:
        """Whether `pid` carries the token."""
        value = table.environment_value(pid, VARIABLE.encode()).decode(errors="replace")
        return any(token.startswith(self.prefix) for token in value.split(_SEPARATOR))

    @contextlib.contextmanager
    def inherited(self) -> Iterator[None]:
        """Have what is started in the block inherit the limit, from its first instruction on.

        A child inherits ours, so ours is changed meanwhile. What another thread starts in the same
        moment, not through us, gets it by mistake and is relieved of it.
        """
        with inherited_limit(self.limits[0]):
            yield
        if threading.active_count() > 1:
            for pid in lineage.other_children() or ():
                if self.has_limit(pid) and not self.has_token(pid):
                    _set_limit(pid, _hard_limit())


@contextlib.contextmanager
def inherited_limit(soft: int | None) -> Iterator[None]:
    """Have what is started in the block inherit `soft` (None: no limit), where the system has this limit."""
    if sys.platform != "linux":
        yield
        return
    with _Forking.lock:
        before, hard = resource.getrlimit(resource.RLIMIT_RTTIME)
        _set_limit(0, hard if soft is None else soft)
        try:
            yield
        finally:
            _set_limit(0, before)


def without_token(environment: dict[str, str]) -> dict[str, str]:
    """Return `environment` without any token."""
    return {name: value for name, value in environment.items() if name != VARIABLE}


class _Forking:
    """One start at a time, since the limit of the whole process changes for it."""

    lock = threading.Lock()


def _hard_limit() -> int:
    return resource.getrlimit(resource.RLIMIT_RTTIME)[1] if sys.platform == "linux" else -1


def _set_limit(pid: int, soft: int) -> None:
    """Set the soft limit of `pid` (0: ours) and leave the hard one alone; a refusal leaves us the token."""
    if sys.platform == "linux":
        with contextlib.suppress(OSError, ValueError):
            resource.prlimit(pid, resource.RLIMIT_RTTIME, (soft, _hard_limit()))


@functools.cache
def _of_current() -> Mark:
    return Mark.of_supervisor(ProcessIdentity.current())


def _begin_anew() -> None:
    _of_current.cache_clear()
    _Forking.lock = threading.Lock()


os.register_at_fork(after_in_child=_begin_anew)  # another thread of the parent may have held the lock
