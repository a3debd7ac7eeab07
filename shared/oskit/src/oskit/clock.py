"""The time, read in one place: always aware, always UTC."""

from __future__ import annotations

import datetime as dt
import time


def now() -> dt.datetime:
    """Return the present moment in UTC, with its zone."""
    return dt.datetime.now(dt.UTC)


class SteadyClock:
    """The time as this process knows it, which nobody can set back."""

    def __init__(self) -> None:
        self._began = now()
        self._began_monotonic = monotonic()

    def now(self) -> dt.datetime:
        """Return the present moment; with a clock that was set back, the one that it must be at least."""
        passed = dt.timedelta(seconds=monotonic() - self._began_monotonic)
        return max(now(), self._began + passed)


def rfc3339(moment: dt.datetime) -> str:
    """Write `moment` as RFC 3339 in UTC with milliseconds, for example `2026-11-30T12:00:00.000Z`.

    Every text has the same length, so texts sort as their moments do. A moment without a zone is a
    ValueError: it would name a different instant on every machine.
    """
    if moment.utcoffset() is None:
        raise ValueError(f"{moment!r} has no time zone; use oskit.clock.now()")
    return moment.astimezone(dt.UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def monotonic() -> float:
    """Return seconds on a clock that never goes back: for durations and deadlines, meaningless as a date."""
    return time.monotonic()
