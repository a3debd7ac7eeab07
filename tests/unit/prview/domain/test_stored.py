"""A stored gate never reads better than its worst signal."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prview.domain.stored import read_decision
from prview.domain.verdict import Verdict
from prview.errors import StorageCorruptError

WORDS = ["PASS", "ALLOW", "CONDITIONAL", "HOLD", "BLOCK"]
SIGNALS = st.fixed_dictionaries(
    {},
    optional={
        "verdict": st.sampled_from([*WORDS, None, 5, "MAYBE"]),
        "merge_recommendation": st.sampled_from(["approve", "review_required", "block", None, "nonsense"]),
        "allow_merge": st.sampled_from([True, False, None, "true", 1]),
        "quality_pass": st.sampled_from([True, False, None]),
        "analysis_status": st.sampled_from(["complete", "degraded", None, "x"]),
        "blocking_issues": st.sampled_from([[], ["tests"], "tests", None]),
    },
)


@given(SIGNALS, st.booleans())
def test_merging_is_allowed_only_when_every_signal_agrees(signals: dict[str, object], nested: bool) -> None:
    try:
        stored = read_decision({"decision": signals} if nested else signals)
    except StorageCorruptError:
        return
    if stored.ruling.allow_merge:
        assert signals.get("verdict") in {None, "PASS", "ALLOW"}
        assert signals.get("merge_recommendation") in {None, "approve"}
        assert signals.get("allow_merge", True) is True
        assert signals.get("quality_pass", True) is True
        assert signals.get("analysis_status", "complete") == "complete"
        assert signals.get("blocking_issues") != ["tests"]
    if "block" in (signals.get("merge_recommendation"), str(signals.get("verdict")).lower()):
        assert stored.ruling.verdict is Verdict.BLOCK


@pytest.mark.parametrize(
    ("signals", "contradiction"),
    [
        ({"verdict": "PASS", "merge_recommendation": "approve", "allow_merge": True}, False),
        (
            {
                "verdict": "BLOCK",
                "merge_recommendation": "block",
                "allow_merge": False,
                "blocking_issues": ["x"],
            },
            False,
        ),
        ({"verdict": "HOLD", "allow_merge": False}, False),
        ({"verdict": "BLOCK", "allow_merge": True}, True),
        ({"verdict": "PASS", "merge_recommendation": "review_required"}, True),
        ({"verdict": "PASS", "blocking_issues": ["x"]}, True),
    ],
)
def test_a_contradiction_is_named(signals: dict[str, object], contradiction: bool) -> None:
    caveats = read_decision(signals).caveats
    assert any(caveat.startswith("core_inconsistency") for caveat in caveats) == contradiction


@pytest.mark.parametrize("signals", [{}, {"allow_merge": True}, {"verdict": "MAYBE"}, {"verdict": ["PASS"]}])
def test_a_gate_without_a_decision_is_corrupt(signals: dict[str, object]) -> None:
    with pytest.raises(StorageCorruptError):
        read_decision(signals)
