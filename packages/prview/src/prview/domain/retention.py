"""Which runs may go. Pure: removing them is the store's work."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

_STAMP = "%Y%m%d-%H%M%S"
_STAMP_LENGTH = len("YYYYMMDD-HHMMSS")


@dataclass(frozen=True)
class Candidate:
    """A run as far as retention is concerned: `active` while somebody works on it."""

    run_id: str
    completed: bool
    active: bool

    @property
    def started(self) -> datetime:
        """When it began, by its id (UTC); an id without a real date counts as the oldest there is."""
        try:
            return datetime.strptime(self.run_id[:_STAMP_LENGTH], _STAMP).replace(tzinfo=UTC)
        except ValueError:
            return datetime.min.replace(tzinfo=UTC)


def to_remove(
    runs: Sequence[Candidate], *, keep: int | None, older_than: timedelta | None, now: datetime
) -> tuple[Candidate, ...]:
    """The runs of one branch (the newest first) that no rule keeps.

    `keep` is how many of the newest stay; `older_than` keeps whatever is younger. A run goes when each rule
    that is given lets it go; without any rule all stay. Active runs and the newest completed one always stay.
    """
    if keep is None and older_than is None:
        return ()
    latest = next((run for run in runs if run.completed), None)
    return tuple(
        run
        for place, run in enumerate(runs)
        if run is not latest
        and not run.active
        and (keep is None or place >= keep)
        and (older_than is None or now - run.started > older_than)
    )
