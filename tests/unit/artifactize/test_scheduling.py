from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from artifactize.domain.graph import Graph
from artifactize.domain.scheduling import Change, Schedule
from artifactize.domain.standing import Standing, derive, gate, standing
from artifactize.domain.states import OPEN, may_follow
from artifactize.models.states import RequestState as S
from support.artifacts import dependency, runtime
from support.declarations import linked

CHECK = {"evals": {"e": runtime("x")}}
CHAIN: dict[str, Any] = {
    "a": CHECK,
    "b": {"mounts": {"a": "a"}, **CHECK},
    "c": {"mounts": {"b": "b"}, "evals": {"e": runtime("x"), "d": dependency("b")}},
}


def queued(graph: Graph) -> dict[str, S | None]:
    return dict.fromkeys(graph.project.evals, S.QUEUED)


def test_what_is_ready_starts_in_selection_order_within_the_limit() -> None:
    graph = Graph(linked(a=CHECK, b=CHECK, c=CHECK))
    plan = Schedule(graph, ["c/e", "a/e", "b/e"], queued(graph))
    plan.begin()

    assert plan.take(2) == ["c/e", "a/e"]
    assert plan.take(0) == []
    assert plan.take(None) == ["b/e"]


def test_a_newly_ready_eval_starts_before_its_siblings_end() -> None:
    graph = Graph(linked(**CHAIN, slow=CHECK))
    plan = Schedule(graph, list(graph.project.evals), queued(graph))
    plan.begin()

    assert plan.take(None) == ["a/e", "slow/e"]
    assert plan.settle("a/e", S.GREEN) == [Change("b/e", S.QUEUED, ())]
    assert plan.take(None) == ["b/e"]


def test_red_blocks_everything_downstream_at_once() -> None:
    graph = Graph(linked(**CHAIN))
    plan = Schedule(graph, list(graph.project.evals), queued(graph))
    plan.begin()
    plan.take(None)

    changes = plan.settle("a/e", S.RED)

    assert {change.eval: (change.state, change.blocked_by) for change in changes} == {
        "b/e": (S.BLOCKED, ("a",)),
        "c/e": (S.BLOCKED, ("b",)),
        "c/d": (S.BLOCKED, ("b", "b/e")),
    }


def test_an_error_upstream_leaves_downstream_waiting() -> None:
    graph = Graph(linked(**CHAIN))
    plan = Schedule(graph, list(graph.project.evals), queued(graph))
    plan.begin()
    plan.take(None)

    plan.settle("a/e", S.ERROR)

    assert (plan.take(None), plan.states["b/e"], plan.blocked_by["b/e"]) == ([], S.WAIT_DEPENDENCY, ("a",))


def test_evidence_from_outside_opens_a_gate() -> None:
    graph = Graph(linked(**CHAIN))
    plan = Schedule(graph, ["b/e"], {"a/e": S.GREEN, "b/e": S.QUEUED})
    plan.begin()

    assert plan.take(None) == ["b/e"]


def test_ignored_gates_start_everything_but_derive_nothing_false() -> None:
    graph = Graph(linked(**CHAIN))
    plan = Schedule(graph, list(graph.project.evals), queued(graph), ignore_gates=True)
    plan.begin()

    assert plan.take(None) == ["a/e", "b/e", "c/e"]
    assert plan.states["c/d"] is S.WAIT_DEPENDENCY


names = "abcdef"


@st.composite
def projects(draw: st.DrawFn) -> dict[str, Any]:
    """Artifacts with mounts of any other, a cycle now and then, and dependency evals on earlier ones."""
    found: dict[str, Any] = {}
    for index, name in enumerate(names):
        mounts = draw(st.lists(st.sampled_from(names), max_size=2, unique=True))
        evals: dict[str, Any] = {"e": runtime("x")} if draw(st.booleans()) else {}
        if index and draw(st.booleans()):
            evals["d"] = dependency(draw(st.sampled_from(names[:index])))
        found[name] = {"mounts": {f"m{other}": other for other in mounts if other != name}, "evals": evals}
    return found


@settings(max_examples=150)
@given(
    projects(),
    st.lists(st.sampled_from([S.GREEN, S.GREEN, S.RED, S.ERROR]), min_size=6, max_size=6),
    st.integers(1, 3),
)
def test_looking_only_at_what_changed_gives_what_looking_at_everything_gives(
    artifacts: dict[str, Any], endings: list[S], jobs: int
) -> None:
    graph = Graph(linked(**artifacts))
    project = graph.project
    plan = Schedule(graph, list(project.evals), queued(graph))
    states: dict[str, S | None] = queued(graph)
    changes = plan.begin()
    running: list[str] = []
    verdicts = iter(endings)
    while True:
        for change in changes:
            assert may_follow(states[change.eval] or S.QUEUED, change.state)
            states[change.eval] = change.state
        for eval_id in plan.take(jobs - len(running)):
            assert not project.evals[eval_id].is_derived
            assert all(standing(project, name, states) is Standing.GREEN for name in graph.gated_by(eval_id))
            states[eval_id] = S.RUNNING
            running.append(eval_id)
        if not running:
            break
        ended = running.pop(0)
        states[ended] = next(verdicts)
        changes = plan.settle(ended, states[ended] or S.ERROR)

    for eval_id, state in states.items():
        if project.evals[eval_id].is_derived:
            assert (state, plan.blocked_by.get(eval_id, ())) == derive(project, eval_id, states)
        elif state in OPEN | {S.BLOCKED}:
            gates = graph.gated_by(eval_id)
            found = gate(gates, {name: standing(project, name, states) for name in gates})
            assert state is (S.BLOCKED if found.blocked_by else S.WAIT_DEPENDENCY)
            assert not found.is_open
