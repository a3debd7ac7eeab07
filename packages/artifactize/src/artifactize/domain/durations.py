"""Lengths of time as people write them."""

from __future__ import annotations

import re
from datetime import timedelta

_UNITS = {"d": "days", "h": "hours", "m": "minutes", "s": "seconds"}
_DURATION = re.compile(r"(\d{1,6})([dhms])")


def parse_duration(text: str) -> timedelta:
    """Read `30d`, `12h`, `90m` or `45s`. Raises ValueError."""
    found = _DURATION.fullmatch(text)
    if found is None:
        raise ValueError(f"{text!r} is no length of time; write it as 30d, 12h, 90m or 45s")
    return timedelta(**{_UNITS[found[2]]: int(found[1])})
