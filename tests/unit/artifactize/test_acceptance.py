from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from artifactize.domain.acceptance import Acceptance
from artifactize.domain.parsing import parse_declaration
from support.artifacts import dependency, runtime
from support.declarations import linked, mistakes

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
DAY = Acceptance(timedelta(days=1), "1d")


@pytest.mark.parametrize(
    ("recorded_at", "told"),
    [
        ("2026-11-30T12:00:00.000Z", None),
        ("2026-11-29T12:00:00.000Z", None),
        ("2026-11-29T11:59:59.999Z", "it was recorded 1 day ago, and accept.max_age is 1d"),
        ("2026-11-30T12:00:00.001Z", "lies ahead"),
    ],
)
def test_a_verdict_is_accepted_up_to_its_age_and_never_from_the_future(
    recorded_at: str, told: str | None
) -> None:
    refusal = DAY.refusal(recorded_at, NOW)

    assert refusal is None if told is None else told in (refusal or "")


def test_an_eval_decides_for_itself_and_the_root_for_the_others() -> None:
    project = linked(
        root={"at": "", "review_policy": {"accept": {"max_age": "30d"}}},
        guide={"evals": {"own": {**runtime("true"), "accept": {"max_age": "12h"}}, "other": runtime("true")}},
    )

    assert project.acceptance("guide/own") == Acceptance(timedelta(hours=12), "12h")
    assert project.acceptance("guide/other") == Acceptance(timedelta(days=30), "30d")


@pytest.mark.parametrize(
    ("accept", "told"),
    [
        ({"max_age": "soon"}, "'soon' is no length of time"),
        ({"max_age": "0d"}, "would accept nothing"),
        ({"maxAge": "1d"}, "declarations use snake_case: max_age"),
        ({"quorum": 2}, "quorum is not supported by this version"),
        ({"reviewers": ["ada"]}, "reviewers is not supported by this version"),
    ],
)
def test_a_policy_that_could_not_be_followed_is_refused_where_it_stands(
    accept: dict[str, object], told: str
) -> None:
    inside = mistakes(guide={"evals": {"e": {**runtime("true"), "accept": accept}}})
    policy = mistakes(root={"at": "", "review_policy": {"accept": accept}})

    assert [told in each for each in inside] == [True]
    assert [told in each for each in policy] == [True]


def test_a_derived_eval_has_no_verdict_to_accept() -> None:
    found = mistakes(
        guide={"evals": {"e": {**dependency("base"), "accept": {"max_age": "1d"}}}}, base={"basis": True}
    )

    assert ["a dependency eval is derived" in each for each in found] == [True]


def test_the_policy_of_a_project_stands_in_its_root() -> None:
    found = parse_declaration(
        'name = "g"\nreview_policy = { accept = { max_age = "1d" } }', file="g/index.artf"
    )

    assert ["belongs to the repository root" in str(each) for each in found.problems] == [True]
