"""Evals that start ahead of their gates, and those that only sign-offs hold up."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from artifactize.domain.graph import Graph
from artifactize.domain.modes import RunModes
from artifactize.domain.outcome import Unmet, judge
from artifactize.domain.scheduling import Change, Schedule
from artifactize.domain.states import may_follow
from artifactize.models.states import Outcome
from artifactize.models.states import RequestState as S
from support.artifacts import runtime
from support.declarations import linked

CHECK: dict[str, Any] = {"evals": {"e": runtime("x")}}
CHAIN = Graph(linked(a=CHECK, b={"mounts": {"a": "a"}, **CHECK}, c={"mounts": {"b": "b"}, **CHECK}))


def schedule(**modes: Any) -> Schedule:
    plan = Schedule(
        CHAIN, ["a/e", "b/e", "c/e"], dict.fromkeys(CHAIN.project.evals, S.QUEUED), modes=RunModes(**modes)
    )
    plan.begin()
    return plan


def test_without_speculation_only_what_is_ready_starts() -> None:
    assert schedule().take(None) == ["a/e"]


def test_with_speculation_what_waits_starts_after_what_is_ready() -> None:
    assert schedule(speculate=True).take(2) == ["a/e", "b/e"]


def test_green_ahead_of_its_gate_is_provisional_until_the_gate_opens() -> None:
    plan = schedule(speculate=True)
    plan.take(None)

    assert plan.settle("c/e", S.GREEN) == []
    plan.settle("b/e", S.GREEN)
    assert (plan.states["b/e"], plan.states["c/e"]) == (S.PROVISIONAL, S.PROVISIONAL)
    assert plan.settle("a/e", S.GREEN) == [Change("b/e", S.GREEN, ()), Change("c/e", S.GREEN, ())]


def test_red_withdraws_what_it_makes_invalid_and_nothing_else() -> None:
    graph = Graph(linked(a=CHECK, b={"mounts": {"a": "a"}, **CHECK}, other=CHECK))
    known = dict.fromkeys(graph.project.evals, S.QUEUED)
    plan = Schedule(graph, list(graph.project.evals), known, modes=RunModes(speculate=True))
    plan.begin()
    assert sorted(plan.take(None)) == ["a/e", "b/e", "other/e"]

    plan.settle("a/e", S.RED)

    assert plan.withdrawn() == ["b/e"]
    assert plan.withdrawn() == []
    assert plan.put_back("b/e") == [Change("b/e", S.BLOCKED, ("a",))]
    assert plan.take(None) == []


def test_an_error_upstream_withdraws_too_and_leaves_it_waiting() -> None:
    plan = schedule(speculate=True)
    plan.take(None)

    plan.settle("a/e", S.ERROR)

    assert plan.withdrawn() == ["b/e"]
    assert plan.put_back("b/e") == [Change("b/e", S.WAIT_DEPENDENCY, ("a",))]
    assert plan.take(None) == []


def test_a_deferred_sign_off_holds_nothing_up_where_that_is_asked_for() -> None:
    known: dict[str, S | None] = {"a/e": S.DEFERRED, "b/e": S.QUEUED, "c/e": S.QUEUED}
    strict = Schedule(CHAIN, ["b/e", "c/e"], known)
    deferring = Schedule(CHAIN, ["b/e", "c/e"], known, modes=RunModes(defer_human=True))
    strict.begin()
    deferring.begin()

    assert strict.take(None) == []
    assert deferring.take(None) == ["b/e"]
    deferring.settle("b/e", S.GREEN)
    assert deferring.states["b/e"] is S.PROVISIONAL
    assert deferring.take(None) == ["c/e"]


@pytest.mark.parametrize(
    ("states", "outcome"),
    [
        ([S.DEFERRED], Outcome.SIGNOFFS_PENDING),
        ([S.DEFERRED, S.PROVISIONAL], Outcome.SIGNOFFS_PENDING),
        ([S.PROVISIONAL], Outcome.INCOMPLETE),
        ([S.DEFERRED, S.WAIT_DEPENDENCY], Outcome.INCOMPLETE),
        ([S.DEFERRED, S.RED], Outcome.RED),
        ([S.DEFERRED, S.STALE], Outcome.INCOMPLETE),
        ([S.RED, S.BUDGET_EXHAUSTED], Outcome.INCOMPLETE),
    ],
)
def test_missing_sign_offs_are_an_outcome_only_when_nothing_else_is_missing(
    states: list[S], outcome: Outcome
) -> None:
    unmet = [Unmet(f"a/{index}", state) for index, state in enumerate(states)]
    assert judge(unmet, cancelled=False) is outcome


@settings(max_examples=150)
@given(
    st.permutations(["a/e", "b/e", "c/e"]),
    st.lists(st.sampled_from([S.GREEN, S.RED, S.ERROR]), min_size=3, max_size=3),
)
def test_whatever_ends_first_no_green_stands_before_its_gate_is_open(
    order: list[str], endings: list[S]
) -> None:
    """Also when the upstream ends last; and each state may follow the one before."""
    plan = schedule(speculate=True)
    saved: dict[str, S] = dict.fromkeys(order, S.QUEUED)
    running: set[str] = set()

    def save(changes: list[Change]) -> None:
        for change in changes:
            assert may_follow(saved[change.eval], change.state), (change, saved)
            saved[change.eval] = change.state
        taken = plan.take(None)
        running.update(taken)
        saved.update(dict.fromkeys(taken, S.RUNNING))

    save([])
    for eval_id, ending in zip(order, endings, strict=True):
        if eval_id not in running:
            continue
        running.discard(eval_id)
        changes = plan.settle(eval_id, ending)
        provisional = ending is S.GREEN and plan.states[eval_id] is not S.GREEN
        save([Change(eval_id, S.PROVISIONAL if provisional else ending, ()), *changes])
        while gone := running.intersection(plan.withdrawn()):
            running -= gone
            save([change for each in gone for change in plan.put_back(each)])
        for upstream, downstream in (("a/e", "b/e"), ("b/e", "c/e")):
            assert plan.states[downstream] is not S.GREEN or plan.states[upstream] is S.GREEN
