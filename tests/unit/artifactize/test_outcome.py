from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from artifactize.domain.outcome import EXIT_CODES, Unmet, judge, unmet
from artifactize.models.states import Outcome
from artifactize.models.states import RequestState as S
from support.artifacts import runtime
from support.declarations import linked

states = st.lists(st.none() | st.sampled_from([state for state in S if state is not S.GREEN]))


@pytest.mark.parametrize(
    ("found", "outcome", "code"),
    [
        ([], Outcome.GREEN, 0),
        ([S.RED], Outcome.RED, 1),
        ([S.RED, S.BLOCKED], Outcome.RED, 1),
        ([S.RED, S.ERROR], Outcome.ERROR, 2),
        ([S.CANCELLED, S.RED], Outcome.CANCELLED, 2),
        ([S.STALE, S.RED], Outcome.INCOMPLETE, 4),
        ([S.WAIT_DEPENDENCY], Outcome.INCOMPLETE, 4),
        ([None], Outcome.INCOMPLETE, 4),
        ([None, S.RED], Outcome.RED, 1),
    ],
)
def test_the_outcome_of_what_is_not_green(found: list[S | None], outcome: Outcome, code: int) -> None:
    judged = judge([Unmet("a/e", state) for state in found], cancelled=False)

    assert (judged, EXIT_CODES[judged]) == (outcome, code)


@given(states, st.booleans())
def test_nothing_but_green_evidence_everywhere_is_green(found: list[S | None], cancelled: bool) -> None:
    judged = judge([Unmet("a/e", state) for state in found], cancelled=cancelled)

    assert (judged is Outcome.GREEN) == (not found and not cancelled)


def test_every_eval_of_the_closure_is_an_obligation() -> None:
    project = linked(a={"evals": {"e": runtime("x"), "f": runtime("x")}}, b={"evals": {"e": runtime("x")}})

    found = unmet(project, ["a"], {"a/e": S.GREEN})

    assert found == (Unmet("a/f", None),)
