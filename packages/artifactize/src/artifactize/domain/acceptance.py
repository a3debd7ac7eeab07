"""Which recorded verdicts a project accepts: asked whenever a record is read, never part of a key.

Of the fields that `accept` knows, `max_age` is for every kind. `models`, `profiles`, `reviewers` and `quorum`
ask who reviewed, which records of commands cannot answer: they are refused until there are kinds that can.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from artifactize.domain.ages import ago
from artifactize.domain.durations import parse_duration

if TYPE_CHECKING:
    from artifactize.domain.fields import Table

_OF_REVIEWERS = ("models", "profiles", "reviewers", "quorum")


@dataclass(frozen=True, slots=True)
class Acceptance:
    """How old a verdict may be; `declared` is how the declaration writes it."""

    max_age: timedelta
    declared: str

    def refusal(self, recorded_at: str, now: datetime) -> str | None:
        """Return why a verdict of this RFC 3339 moment is not accepted, or None.

        One that lies ahead is refused, too: a clock was set since, and nobody knows how old it is.
        """
        recorded = datetime.fromisoformat(recorded_at)
        if recorded > now:
            return (
                f"it was recorded at {recorded_at}, which lies ahead, and accept.max_age is {self.declared}"
            )
        if now - recorded <= self.max_age:
            return None
        return f"it was recorded {ago(recorded_at, now)}, and accept.max_age is {self.declared}"


def read_acceptance(table: Table | None) -> Acceptance | None:
    """Return what an `accept` table says; mistakes are noted in it."""
    if table is None:
        return None
    for key in _OF_REVIEWERS:
        if table.has(key):
            table.add(
                key, f"{key} is not supported by this version; it belongs to reviews by agents and people"
            )
    text = table.text("max_age", fault=_age_fault)
    table.close()
    return None if text is None else Acceptance(parse_duration(text), text)


def _age_fault(text: str) -> str | None:
    try:
        return None if parse_duration(text) else f"{text!r} would accept nothing; fingerprint = false says so"
    except ValueError as failure:
        return str(failure)
