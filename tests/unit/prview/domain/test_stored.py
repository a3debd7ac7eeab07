"""A stored gate never reads better than its worst signal."""

from __future__ import annotations

from itertools import product

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


ABSENT = object()
SURFACE = (("PASS", "approve"), ("CONDITIONAL", "review_required"), ("BLOCK", "block"))
"""What may be answered, from the least careful to the most."""

STATED: dict[str, dict[object, int]] = {
    "verdict": {"PASS": 0, "ALLOW": 0, "CONDITIONAL": 1, "HOLD": 1, "BLOCK": 2},
    "merge_recommendation": {"approve": 0, "review_required": 1, "hold": 1, "block": 2},
}
AGAINST: dict[str, dict[object, int]] = {
    "allow_merge": {True: 0, False: 1},
    "blocking_issues": {(): 0, ("tests fail",): 2},
    "quality_pass": {True: 0, False: 1},
    "analysis_status": {"complete": 0, "degraded": 1, "incomplete": 1},
}
TABLE = {**STATED, **AGAINST}


def test_every_combination_of_stored_signals_is_read_as_the_most_careful_of_them() -> None:
    """All words of this and of older cores, each there or not: 2,160 gates, each as a document and inside of one."""
    for values in product(*((ABSENT, *words) for words in TABLE.values())):
        told = {name: value for name, value in zip(TABLE, values, strict=True) if value is not ABSENT}
        gate = {name: list(value) if isinstance(value, tuple) else value for name, value in told.items()}
        stated = [STATED[name][told[name]] for name in STATED if name in told]
        if not stated:
            with pytest.raises(StorageCorruptError, match="holds no decision"):
                read_decision({"decision": gate})
            continue
        careful = max(TABLE[name][value] for name, value in told.items())
        agreed = all(rank == careful for rank in stated) and told.get("allow_merge", careful == 0) == (
            careful == 0
        )
        for document in ({"decision": gate}, gate):
            read = read_decision(document)
            said = (read.ruling.verdict.value, read.recommendation.value, read.ruling.allow_merge)
            assert said == (*SURFACE[careful], careful == 0), gate
            noted = [caveat for caveat in read.caveats if caveat.startswith("core_inconsistency")]
            assert len(noted) == (not agreed), gate


@pytest.mark.parametrize("name", STATED)
@pytest.mark.parametrize("word", ["", "pass", "APPROVED", "unknown", 1, True, [], {}])
def test_a_word_that_is_no_decision_is_corrupt_whatever_stands_beside_it(name: str, word: object) -> None:
    for other in STATED.keys() - {name}:
        for beside in STATED[other]:
            with pytest.raises(StorageCorruptError, match=name):
                read_decision({"decision": {name: word, other: beside}})
