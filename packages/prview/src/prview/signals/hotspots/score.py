"""How risky the change of one file is (pure).

The risk grows with what is known to go along with defects: churn and earlier fixes (Nagappan and Ball 2005;
Rahman and others 2011), many authors without a main one (Bird and others 2011), size and decisions added.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum

HIGH, ELEVATED = 70, 45
"""Scores, of 100, from which a file is called high and elevated."""

_FULL = {"commits": 50, "fixes": 10, "authors": 6, "decisions": 25, "lines": 300}
_SHARE = {"commits": 20, "fixes": 25, "authors": 10, "decisions": 20, "lines": 25}


class Risk(StrEnum):
    """A score in a word."""

    HIGH = "high"
    ELEVATED = "elevated"
    LOW = "low"


@dataclass(frozen=True)
class Hotspot:
    """What is known of one changed file.

    `commits`, `fixes` and `authors` are of the past; `lines` are the changed ones, `decisions` those that the
    change adds, more than before (None where that is unknown). `share` is the main author's part of the
    commits. `guessed`: the decisions were judged by indentation.
    """

    path: str
    lines: int
    commits: int = 0
    fixes: int = 0
    authors: int = 0
    share: float = 1.0
    decisions: int | None = None
    guessed: bool = False

    @property
    def score(self) -> int:
        """0 to 100. Each part grows by its logarithm up to a full value: the tenth fix says less."""
        spread = self.authors * (1 - self.share) * 2 if self.authors > 1 else 0
        values = {
            "commits": self.commits,
            "fixes": self.fixes,
            "authors": spread,
            "decisions": max(self.decisions or 0, 0),
            "lines": self.lines,
        }
        return round(sum(_SHARE[name] * _grown(value, _FULL[name]) for name, value in values.items()))

    @property
    def risk(self) -> Risk:
        """The score in a word."""
        return Risk.HIGH if self.score >= HIGH else Risk.ELEVATED if self.score >= ELEVATED else Risk.LOW


def _grown(value: float, full: int) -> float:
    return min(1.0, math.log1p(value) / math.log1p(full))
