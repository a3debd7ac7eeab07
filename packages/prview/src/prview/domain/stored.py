"""Reads the decision of a stored gate, and believes its most careful signal.

A gate may be old, edited or half wrong. The words of older cores (`ALLOW`, `HOLD`) are known; signals that
contradict each other are settled for the careful one, with a note; a gate without a decision is corrupt.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from prview.domain.verdict import Analysis, Recommendation, Ruling, derive
from prview.errors import StorageCorruptError

_VERDICTS = {
    "PASS": Recommendation.APPROVE,
    "ALLOW": Recommendation.APPROVE,
    "CONDITIONAL": Recommendation.REVIEW_REQUIRED,
    "HOLD": Recommendation.REVIEW_REQUIRED,
    "BLOCK": Recommendation.BLOCK,
}
_RECOMMENDATIONS = {
    "approve": Recommendation.APPROVE,
    "review_required": Recommendation.REVIEW_REQUIRED,
    "hold": Recommendation.REVIEW_REQUIRED,
    "block": Recommendation.BLOCK,
}
_ORDER = (Recommendation.APPROVE, Recommendation.REVIEW_REQUIRED, Recommendation.BLOCK)


@dataclass(frozen=True)
class StoredDecision:
    """A decision as it may be passed on."""

    ruling: Ruling
    recommendation: Recommendation
    blocking_issues: tuple[str, ...]
    caveats: tuple[str, ...]


def read_decision(document: Mapping[str, object]) -> StoredDecision:
    """Normalize a gate's decision.

    Raises StorageCorruptError when neither verdict nor recommendation is there, or one is no word we know.
    """
    inner = document.get("decision")
    decision = inner if isinstance(inner, Mapping) else document
    issues = _strings(decision.get("blocking_issues"))
    caveats = _strings(decision.get("review_caveats", decision.get("caveats")))
    signals = _stated(decision) | _implied(decision, blocked=bool(issues))
    careful = max(signals.values(), key=_ORDER.index)
    if not _consistent(decision, signals, careful):
        told = ", ".join(f"{name} says {signal.value}" for name, signal in signals.items())
        caveats = (*caveats, f"core_inconsistency: the stored signals contradict each other ({told})")
    ruling = derive(analysis=Analysis.COMPLETE, recommendation=careful, quality_pass=True)
    return StoredDecision(ruling, careful, issues, caveats)


def _stated(decision: Mapping[str, object]) -> dict[str, Recommendation]:
    """The words that are a decision."""
    tables = {"verdict": _VERDICTS, "merge_recommendation": _RECOMMENDATIONS}
    stated = {
        name: _word(name, decision[name], words)
        for name, words in tables.items()
        if decision.get(name) is not None
    }
    if not stated:
        raise StorageCorruptError(
            "MERGE_GATE.json holds no decision: neither verdict nor merge_recommendation",
            hint="run the review again",
        )
    return stated


def _implied(decision: Mapping[str, object], *, blocked: bool) -> dict[str, Recommendation]:
    """What the other fields say against a merge. None of them can argue for one."""
    implied: dict[str, Recommendation] = {}
    if blocked:
        implied["blocking_issues"] = Recommendation.BLOCK
    if decision.get("allow_merge", True) is not True:
        implied["allow_merge"] = Recommendation.REVIEW_REQUIRED
    if decision.get("quality_pass", True) is not True:
        implied["quality_pass"] = Recommendation.REVIEW_REQUIRED
    if decision.get("analysis_status", "complete") != "complete":
        implied["analysis_status"] = Recommendation.REVIEW_REQUIRED
    return implied


def _consistent(
    decision: Mapping[str, object], signals: Mapping[str, Recommendation], careful: Recommendation
) -> bool:
    """Whether the stated words are the careful one, and the flag for merging agrees with them."""
    stated = [signals[name] for name in ("verdict", "merge_recommendation") if name in signals]
    allows = decision.get("allow_merge", careful is Recommendation.APPROVE) is True
    return all(word is careful for word in stated) and allows == (careful is Recommendation.APPROVE)


def _word(name: str, value: object, words: Mapping[str, Recommendation]) -> Recommendation:
    known = words.get(value) if isinstance(value, str) else None
    if known is None:
        raise StorageCorruptError(
            f"MERGE_GATE.json says {name} {value!r}; known are {', '.join(words)}",
            hint="run the review again",
        )
    return known


def _strings(value: object) -> tuple[str, ...]:
    return tuple(item for item in value if isinstance(item, str)) if isinstance(value, list) else ()
