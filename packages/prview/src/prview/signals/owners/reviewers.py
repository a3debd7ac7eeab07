"""Who knows the changed files, judged by the commits that touched them (pure)."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence
    from datetime import datetime

    from prview.signals.history import Past

SHOWN = 5
HALF_LIFE_DAYS = 180.0
"""Days after which a commit says half as much about who knows a file."""

_BOT = re.compile(r"\[bot\]|\bbots?\b|noreply@github\.com$|dependabot|renovate", re.IGNORECASE)
_WEIGHT_OF_LINES = 50


@dataclass(frozen=True)
class Reviewer:
    """Somebody who touched changed files before. `files` are how many of them, `commits` how often."""

    name: str
    email: str
    weight: float
    files: int
    commits: int


def suggest(
    history: Mapping[str, Sequence[Past]], *, authors: Collection[str], now: datetime
) -> list[Reviewer]:
    """The people who know the files best, the authors of the change and programs left out.

    A commit counts by how much it changed, up to a bound, and half as much for every half year since.
    """
    weights: dict[str, float] = defaultdict(float)
    touched: dict[str, set[str]] = defaultdict(set)
    commits: dict[str, set[str]] = defaultdict(set)
    names: dict[str, tuple[datetime, str]] = {}
    for path, pasts in history.items():
        for past in pasts:
            email = past.email.lower()
            if email in authors or _BOT.search(f"{past.author} {past.email}"):
                continue
            days = max((now - past.time).total_seconds() / 86400, 0.0)
            size = min(past.lines, _WEIGHT_OF_LINES) / _WEIGHT_OF_LINES
            weights[email] += (0.2 + size) * 0.5 ** (days / HALF_LIFE_DAYS)
            touched[email].add(path)
            commits[email].add(past.sha)
            names[email] = max(names.get(email, (past.time, past.author)), (past.time, past.author))
    people = [
        Reviewer(names[email][1], email, weight, len(touched[email]), len(commits[email]))
        for email, weight in weights.items()
    ]
    return sorted(people, key=lambda person: (-person.weight, person.email))[:SHOWN]
