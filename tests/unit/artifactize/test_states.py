from __future__ import annotations

import pytest

from artifactize.domain.states import OPEN, PENDING, VERDICTS, may_follow
from artifactize.models.states import RequestState as S

FINAL = [S.ERROR, S.CANCELLED, S.STALE, S.BUDGET_EXHAUSTED, S.DEFERRED]


@pytest.mark.parametrize("state", FINAL)
def test_a_final_state_stays(state: S) -> None:
    assert [new for new in S if may_follow(state, new)] == [state]


@pytest.mark.parametrize("verdict", sorted(VERDICTS))
def test_a_verdict_can_only_become_stale(verdict: S) -> None:
    assert {new for new in S if may_follow(verdict, new)} == {verdict, S.STALE}


def test_an_interrupted_eval_is_queued_again_and_one_that_ran_ahead_waits_again() -> None:
    assert may_follow(S.RUNNING, S.QUEUED)
    assert may_follow(S.RUNNING, S.WAIT_DEPENDENCY)
    assert not may_follow(S.PROVISIONAL, S.QUEUED)
    assert not may_follow(S.BLOCKED, S.GREEN)


@pytest.mark.parametrize("state", sorted(OPEN))
def test_whatever_is_open_can_be_cancelled(state: S) -> None:
    assert may_follow(state, S.CANCELLED)


def test_what_is_pending_is_open() -> None:
    assert PENDING < OPEN
