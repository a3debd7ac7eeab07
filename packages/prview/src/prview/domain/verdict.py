"""The one place where a verdict comes from.

Two axes and a flag: how complete the analysis is, what it recommends, whether the change brought failures.
`derive` turns them into the verdict; whether a merge is allowed is the verdict and nothing else.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Analysis(StrEnum):
    """Whether everything that should have looked did."""

    COMPLETE = "complete"
    DEGRADED = "degraded"
    INCOMPLETE = "incomplete"


class Recommendation(StrEnum):
    """What the findings say about merging."""

    APPROVE = "approve"
    REVIEW_REQUIRED = "review_required"
    BLOCK = "block"


class Verdict(StrEnum):
    """The single answer."""

    PASS = "PASS"  # noqa: S105 - a verdict, not a password
    CONDITIONAL = "CONDITIONAL"
    BLOCK = "BLOCK"


@dataclass(frozen=True)
class Ruling:
    """A verdict; `allow_merge` follows from it and is nowhere else computed."""

    verdict: Verdict

    @property
    def allow_merge(self) -> bool:
        """True only for a clean PASS."""
        return self.verdict is Verdict.PASS

    @property
    def label(self) -> str:
        """A label for a pull request."""
        return {
            Verdict.PASS: "ready-to-merge",
            Verdict.CONDITIONAL: "needs-review",
            Verdict.BLOCK: "do-not-merge",
        }[self.verdict]


def derive(*, analysis: Analysis, recommendation: Recommendation, quality_pass: bool) -> Ruling:
    """Return the verdict that the axes carry, the most careful signal first."""
    if recommendation is Recommendation.BLOCK:
        return Ruling(Verdict.BLOCK)
    clean = (
        analysis is Analysis.COMPLETE and recommendation is Recommendation.APPROVE and quality_pass is True
    )
    return Ruling(Verdict.PASS if clean else Verdict.CONDITIONAL)
