"""The marks that every descendant of a program inherits, so that what it leaves behind is known as its own.

Two, since each has a hole that the other closes:

- a token in the environment. It is there from the first instruction on and names the process that
started the program, so what a killed supervisor left is found by the next. It is lost to `env -i`, to
daemons that write their title over their environment (PostgreSQL, nginx), and in zombies. - on Linux, an
odd number as the soft limit of real-time computing (RLIMIT_RTTIME, by default unlimited, and the number
is 70,000 years). Nobody resets it and zombies keep it, but it is only set when the program runs already.
"""

from __future__ import annotations

import contextlib
import functools
import itertools
import os
import resource
import secrets
import sys
from dataclasses import dataclass

from oskit.process import _table as table
from oskit.process._identity import ProcessIdentity

VARIABLE = "OSKIT_TREE"
_SEPARATOR = ":"

_serial = itertools.count(1)
_LEAST_LIMIT = 1 << 61
_RANDOM_BITS = 40
_SERIAL_BITS = 20


@dataclass(frozen=True, slots=True)
class Mark:
    """What the processes of one program carry: a token that begins with `prefix`, or `limit`."""

    prefix: str
    limit: int | None = None

    @property
    def made_here(self) -> bool:
        """Whether only descendants of this process can carry it."""
        return self.limit is not None

    @classmethod
    def new(cls) -> Mark:
        """Return a mark that nothing on this machine carries yet."""
        serial = next(_serial)
        limit = _first_limit() + serial % (1 << _SERIAL_BITS)
        return cls(f"{_own_prefix()}{serial}.", limit)

    @classmethod
    def of_supervisor(cls, identity: ProcessIdentity) -> Mark:
        """Return the mark of everything that `identity` ever started."""
        return cls(_prefix(identity))

    def in_environment(self, environment: dict[str, str]) -> dict[str, str]:
        """Return `environment` with our token after those that we carry ourselves."""
        carried = os.environ.get(VARIABLE)
        value = f"{carried}{_SEPARATOR}{self.prefix}" if carried else self.prefix
        return environment | {VARIABLE: value}

    def put_on(self, pid: int) -> None:
        """Set the limit of a program that was just started."""
        if self.limit is not None:
            _set_limit(pid, self.limit)

    def is_on(self, pid: int) -> bool:
        """Whether `pid`, which may be a zombie, carries the token or the limit."""
        value = table.environment_value(pid, VARIABLE.encode()).decode(errors="replace")
        if any(token.startswith(self.prefix) for token in value.split(_SEPARATOR)):
            return True
        return self.limit is not None and table.realtime_limit(pid) == self.limit


def without_token(environment: dict[str, str]) -> dict[str, str]:
    """Return `environment` without any token."""
    return {name: value for name, value in environment.items() if name != VARIABLE}


def clear_limit(pid: int) -> None:
    """Take the limit that a program inherited from us, if we carry one."""
    if sys.platform == "linux":
        _set_limit(pid, resource.getrlimit(resource.RLIMIT_RTTIME)[1])


def _set_limit(pid: int, soft: int) -> None:
    """Set the soft limit and leave the hard one alone; a system that refuses leaves us the token."""
    if sys.platform == "linux":
        with contextlib.suppress(OSError, ValueError):
            resource.prlimit(
                pid, resource.RLIMIT_RTTIME, (soft, resource.getrlimit(resource.RLIMIT_RTTIME)[1])
            )


def _prefix(identity: ProcessIdentity) -> str:
    return f"{identity.pid}.{identity.start_time.rpartition(':')[2]}."


@functools.cache
def _own_prefix() -> str:
    return _prefix(ProcessIdentity.current())


@functools.cache
def _first_limit() -> int:
    return _LEAST_LIMIT | secrets.randbits(_RANDOM_BITS) << _SERIAL_BITS


os.register_at_fork(after_in_child=_own_prefix.cache_clear)
os.register_at_fork(after_in_child=_first_limit.cache_clear)
