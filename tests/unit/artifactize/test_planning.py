from __future__ import annotations

from artifactize.domain.changes import Changes
from artifactize.domain.graph import Graph
from artifactize.domain.planning import Action, Decision, Known, plan
from artifactize.domain.selection import ALL, Selection, SelectionKind, choose
from artifactize.models.states import RequestState as S
from support.artifacts import dependency, runtime
from support.declarations import linked

CHECK = {"evals": {"e": runtime("x")}}
GRAPH = Graph(
    linked(base=CHECK, top={"mounts": {"b": "base"}, "evals": {"e": runtime("x"), "d": dependency("b")}})
)
GREEN = Known(verdict=S.GREEN, run_id="r1")
RED = Known(verdict=S.RED, run_id="r2")


def decided(known: dict[str, Known], selection: Selection = ALL, **options: bool) -> dict[str, Decision]:
    chosen = choose(selection, GRAPH, recursive=False)
    return {each.eval: each for each in plan(GRAPH, chosen, known, **options)}


def test_nothing_known_executes_what_has_no_gate_and_waits_with_the_rest() -> None:
    found = decided({})

    assert [(each.eval, each.action) for each in found.values()] == [
        ("base/e", Action.EXECUTE),
        ("top/d", Action.WAIT),
        ("top/e", Action.WAIT),
    ]
    assert found["base/e"].reason == "never reviewed"
    assert found["top/e"].reason == "never reviewed; waits for base"


def test_a_verdict_is_reused_whatever_its_dependencies_say() -> None:
    found = decided({"base/e": RED, "top/e": GREEN})

    assert (found["top/e"].action, found["top/e"].reason) == (Action.REUSE, "unchanged since Run r1")
    assert (found["top/d"].action, found["top/d"].blocked_by) == (Action.BLOCKED, ("base", "base/e"))


def test_behind_red_it_is_blocked_and_says_behind_what() -> None:
    found = decided({"base/e": RED})

    assert (found["top/e"].action, found["top/e"].state) == (Action.BLOCKED, S.BLOCKED)
    assert found["top/e"].reason == "never reviewed; behind RED base"


def test_force_sets_aside_the_verdicts_of_the_selection_only() -> None:
    found = decided(
        {"base/e": GREEN, "top/e": GREEN}, Selection(SelectionKind.ARTIFACT, ("top",)), force=True
    )

    assert (found["top/e"].action, found["top/e"].reason) == (Action.EXECUTE, "forced")
    assert found["base/e"].action is Action.REUSE


def test_what_is_not_selected_is_only_an_obligation() -> None:
    found = decided({}, Selection(SelectionKind.EVAL, ("top/e",)))

    assert (found["base/e"].action, found["base/e"].included) == (Action.NONE, False)
    assert "--recursive" in found["base/e"].reason


def test_reasons_name_the_artifact_without_a_fingerprint_the_running_run_and_the_change() -> None:
    changes = Changes("r0", definition=False, files=("t",), dependencies=(), summary="changed: t")

    assert "base has fingerprint = false" in decided({"base/e": Known(unkeyed="base")})["base/e"].reason
    running = decided({"base/e": Known(executing="r9")})["base/e"]
    assert (running.action, running.reason) == (Action.WAIT, "Run r9 is executing it")
    assert decided({"base/e": Known(changes=changes)})["base/e"].reason == "changed: t (since Run r0)"


def test_ignored_gates_execute_at_once() -> None:
    assert decided({}, ignore_gates=True)["top/e"].action is Action.EXECUTE
