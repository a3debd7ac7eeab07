"""The verdict follows from typed facts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import given
from hypothesis import strategies as st

from codevetter_verify.domain.verdict import RunCause, decide

if TYPE_CHECKING:
    from codevetter_verify.models import RouteOutcome

OUTCOMES = st.lists(st.sampled_from(["passed", "failed", "inconclusive"]), max_size=6)
CAUSES = st.sets(st.sampled_from([str(cause) for cause in RunCause]), max_size=2)


@given(outcomes=OUTCOMES, planned=st.integers(0, 6), causes=CAUSES)
def test_a_pass_needs_every_planned_route_passed_and_nothing_amiss(
    outcomes: list[RouteOutcome], planned: int, causes: set[str]
) -> None:
    passed = decide(outcomes, planned=planned, causes=causes) == "passed_with_limits"
    assert passed == (planned > 0 and outcomes == ["passed"] * planned and not causes)


@given(outcomes=OUTCOMES, planned=st.integers(0, 6), causes=CAUSES)
def test_a_failure_needs_a_complete_run(outcomes: list[RouteOutcome], planned: int, causes: set[str]) -> None:
    failed = decide(outcomes, planned=planned, causes=causes) == "failed"
    complete = len(outcomes) == planned and "inconclusive" not in outcomes and not causes
    assert failed == (complete and "failed" in outcomes)


def test_nothing_planned_is_no_confidence() -> None:
    assert decide([], planned=0, causes=()) == "no_confidence"
