from __future__ import annotations

import pytest

from artifactize.domain.standing import Gate, Standing, derive, gate, standing, with_derived
from artifactize.models.states import RequestState as S
from support.artifacts import dependency, runtime
from support.declarations import linked

TWO = {"evals": {"e": runtime("x"), "f": runtime("x")}}


@pytest.mark.parametrize(
    ("states", "stands"),
    [
        ((S.GREEN, S.GREEN), Standing.GREEN),
        ((S.GREEN, S.RED), Standing.RED),
        ((S.RED, None), Standing.RED),
        ((S.GREEN, S.BLOCKED), Standing.RED),
        ((S.GREEN, None), Standing.PENDING),
        ((S.GREEN, S.ERROR), Standing.PENDING),
        ((S.GREEN, S.STALE), Standing.PENDING),
        ((S.GREEN, S.CANCELLED), Standing.PENDING),
        ((S.GREEN, S.RUNNING), Standing.PENDING),
    ],
)
def test_an_artifact_is_green_only_with_all_its_evidence(
    states: tuple[S | None, S | None], stands: Standing
) -> None:
    project = linked(a=TWO)

    assert standing(project, "a", {"a/e": states[0], "a/f": states[1]}) is stands


def test_an_artifact_without_evals_owes_nothing() -> None:
    project = linked(a={}, b={"basis": True})

    assert standing(project, "a", {}) is standing(project, "b", {}) is Standing.GREEN


def test_a_gate_names_what_holds_it() -> None:
    standings = {"a": Standing.GREEN, "b": Standing.RED, "c": Standing.PENDING}

    assert gate(["a"], standings).is_open
    assert gate(["a", "b", "c"], standings) == Gate(("b",), ("c",))


@pytest.mark.parametrize(
    ("states", "derived", "blockers"),
    [
        ((S.GREEN, S.GREEN, S.GREEN), S.GREEN, ()),
        ((S.GREEN, S.RED, S.GREEN), S.BLOCKED, ("a", "a/f")),
        ((S.GREEN, None, S.GREEN), S.WAIT_DEPENDENCY, ("a", "a/f")),
        ((S.ERROR, S.STALE, S.RED), S.BLOCKED, ("b", "b/e", "a", "a/e", "a/f")),
    ],
)
def test_a_dependency_eval_follows_from_what_it_waits_for(
    states: tuple[S | None, ...], derived: S, blockers: tuple[str, ...]
) -> None:
    project = linked(
        a=TWO, b={"evals": {"e": runtime("x")}}, empty={}, top={"evals": {"d": dependency("b", "empty", "a")}}
    )
    evidence = dict(zip(("a/e", "a/f", "b/e"), states, strict=True))

    assert derive(project, "top/d", evidence) == (derived, blockers)


def test_derivation_goes_through_further_dependency_evals() -> None:
    project = linked(
        a={"evals": {"d": dependency("b")}},
        b={"evals": {"d": dependency("c")}},
        c={"evals": {"e": runtime("x")}},
    )

    assert with_derived(project, {"c/e": S.GREEN})["a/d"] is S.GREEN
    assert with_derived(project, {"c/e": S.RED})["a/d"] is S.BLOCKED
    assert with_derived(project, {})["a/d"] is S.WAIT_DEPENDENCY
