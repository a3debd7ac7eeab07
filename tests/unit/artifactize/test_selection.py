from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from artifactize.domain.graph import Graph
from artifactize.domain.selection import ALL, Selection, SelectionKind, choose
from artifactize.errors import UnknownSelectionError
from artifactize.models.scope import SavedScope, Scope
from support.artifacts import dependency, runtime
from support.declarations import linked

CHECK = {"evals": {"e": runtime("x")}}
GRAPH = Graph(
    linked(
        base=CHECK,
        empty={},
        mid={"mounts": {"b": "base"}, **CHECK},
        top={"mounts": {"m": "mid"}, "evals": {"e": runtime("x"), "ready": dependency("mid")}},
    )
)


def test_an_artifact_brings_its_evals_and_answers_for_everything_it_takes_in() -> None:
    chosen = choose(Selection(SelectionKind.ARTIFACT, ("mid",)), GRAPH, recursive=False)

    assert (chosen.selected, chosen.included, chosen.closure) == (("mid/e",), ("mid/e",), ("base", "mid"))


def test_recursive_includes_the_closure_after_the_selection() -> None:
    chosen = choose(Selection(SelectionKind.EVAL, ("top/e",)), GRAPH, recursive=True)

    assert chosen.included == ("top/e", "base/e", "mid/e", "top/ready")


def test_a_dependency_eval_brings_what_it_waits_for() -> None:
    chosen = choose(Selection(SelectionKind.EVAL, ("top/ready",)), GRAPH, recursive=False)

    assert chosen.included == ("top/ready", "mid/e")


def test_everything_is_everything_declared() -> None:
    chosen = choose(ALL, GRAPH, recursive=False)

    assert (chosen.selected, chosen.closure) == (tuple(GRAPH.project.evals), tuple(GRAPH.project.artifacts))


@pytest.mark.parametrize(
    ("kind", "ids", "said"),
    [
        (SelectionKind.ARTIFACT, ("bse",), "no Artifact is named 'bse'"),
        (SelectionKind.EVALS, ("top/e", "top/x"), "no eval is named 'top/x'"),
        (SelectionKind.ARTIFACTS, ("empty",), "nothing would be verified"),
    ],
)
def test_what_cannot_be_verified_is_refused(kind: SelectionKind, ids: tuple[str, ...], said: str) -> None:
    with pytest.raises(UnknownSelectionError, match=said):
        choose(Selection(kind, ids), GRAPH, recursive=False)


@pytest.mark.parametrize(
    "envelope",
    [
        {},
        {"kind": "everything"},
        {"kind": "artifact"},
        {"kind": "all", "artifactId": "a"},
        {"kind": "artifact", "artifactId": "a", "evalId": "a/e"},
        {"kind": "artifact", "artifactIds": ["a"]},
        {"kind": "artifacts", "artifactIds": []},
        {"kind": "evals", "evalIds": ["x"] * 65},
        {"kind": "all", "extra": 1},
        {"kind": "artifact", "artifact_id": "a"},
        {"kind": "eval", "evalId": ""},
    ],
)
def test_an_envelope_that_is_not_exactly_one_form_is_refused(envelope: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        Scope.model_validate(envelope)


ids = st.lists(st.sampled_from(["a", "b", "c/e"]), min_size=1, max_size=64)


@given(ids, st.sampled_from(["artifacts", "evals"]))
def test_listed_ids_keep_the_order_of_their_first_occurrence(found: list[str], kind: str) -> None:
    scope = Scope.model_validate({"kind": kind, f"{kind[:-1]}Ids": found})

    assert scope.ids == tuple(dict.fromkeys(found))
    saved = SavedScope.of(kind, scope.ids)
    assert saved.model_dump(mode="json", by_alias=True) == {"kind": kind, f"{kind[:-1]}Ids": list(scope.ids)}
