"""Which recorded verdicts a project accepts: asked whenever a record is read, never part of a key.

`max_age` is for every kind; `reviewers`, `quorum` and the policy's `distinct_reviewer` ask who signed, so
they are for sign-offs. `models` and `profiles` ask what reviewed: they are refused until there are kinds that
can answer.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Protocol

from artifactize.domain.ages import ago
from artifactize.domain.durations import parse_duration
from artifactize.domain.people import reviewer_fault, same_person

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from artifactize.domain.fields import Table

_OF_AGENTS = ("models", "profiles")
MAX_REVIEWERS = 256


class Recorded(Protocol):
    """What is asked of a record: when it was made, who signed, and who had changed what was signed."""

    @property
    def recorded_at(self) -> str:
        """The RFC 3339 moment."""

    @property
    def reviewers(self) -> Sequence[str]:
        """Who signed."""

    @property
    def authors(self) -> Sequence[str]:
        """Who had changed it last."""


@dataclass(frozen=True, slots=True)
class Acceptance:
    """What a verdict must be to be reused.

    `declared` is how the declaration writes `max_age`. The others are for sign-offs: who may sign
    (None: anybody), how many must, and whether whoever changed the Artifact last counts.
    """

    max_age: timedelta | None = None
    declared: str = ""
    reviewers: tuple[str, ...] | None = None
    quorum: int = 1
    distinct: bool = False

    def refusal(self, record: Recorded, now: datetime) -> str | None:
        """Return why a record is not accepted, or None.

        One that lies ahead is refused, too: a clock was set since, and nobody knows how old it is.
        """
        return self._age_refusal(record.recorded_at, now) or self._signing_refusal(record)

    def counting(self, reviewers: Iterable[str], authors: Iterable[str]) -> list[str]:
        """Return those who count of the people who signed."""
        written = list(authors) if self.distinct else []
        return [
            each
            for each in reviewers
            if not any(same_person(each, author) for author in written)
            and (self.reviewers is None or any(same_person(each, known) for known in self.reviewers))
        ]

    def _signing_refusal(self, record: Recorded) -> str | None:
        if self.reviewers is None and not self.distinct and self.quorum == 1:
            return None
        count = len(self.counting(record.reviewers, record.authors))
        if count >= self.quorum:
            return None
        signed = ", ".join(record.reviewers) or "nobody known"
        return f"it was signed by {signed}, of whom {count} count, and {self.quorum} must sign"

    def _age_refusal(self, recorded_at: str, now: datetime) -> str | None:
        if self.max_age is None:
            return None
        recorded = datetime.fromisoformat(recorded_at)
        if recorded > now:
            return (
                f"it was recorded at {recorded_at}, which lies ahead, and accept.max_age is {self.declared}"
            )
        if now - recorded <= self.max_age:
            return None
        return f"it was recorded {ago(recorded_at, now)}, and accept.max_age is {self.declared}"


def read_acceptance(table: Table | None, *, of_people: bool) -> Acceptance | None:
    """Return what an `accept` table says; mistakes are noted in it. `of_people`: sign-offs can be meant."""
    if table is None:
        return None
    for key in _OF_AGENTS:
        if table.has(key):
            table.add(key, f"{key} is not supported by this version; it belongs to reviews by agents")
    if not of_people:
        for key in ("reviewers", "quorum"):
            if table.has(key):
                table.add(key, f"{key} belongs to human evals: nobody signs for this one")
    text = table.text("max_age", fault=_age_fault)
    reviewers = table.texts("reviewers", least=1, most=MAX_REVIEWERS, fault=reviewer_fault)
    quorum = table.whole("quorum", default=1, least=1, most=MAX_REVIEWERS)
    table.close()
    return Acceptance(None if text is None else parse_duration(text), text or "", reviewers, quorum)


def _age_fault(text: str) -> str | None:
    try:
        return None if parse_duration(text) else f"{text!r} would accept nothing; fingerprint = false says so"
    except ValueError as failure:
        return str(failure)
