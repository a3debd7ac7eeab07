from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import pytest

from artifactize.domain.acceptance import Acceptance
from artifactize.domain.parsing import parse_declaration
from support.artifacts import dependency, human, runtime
from support.declarations import linked, mistakes

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)


@dataclass(frozen=True)
class Signed:
    recorded_at: str = "2026-11-30T11:00:00.000Z"
    reviewers: tuple[str, ...] = ()
    authors: tuple[str, ...] = ()


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
    refusal = DAY.refusal(Signed(recorded_at), NOW)

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
        ({"models": ["m"]}, "models is not supported by this version"),
        ({"quorum": 0}, "0 is not between 1 and 256"),
        ({"reviewers": []}, "expected 1 to 256 items"),
    ],
)
def test_a_policy_that_could_not_be_followed_is_refused_where_it_stands(
    accept: dict[str, object], told: str
) -> None:
    inside = mistakes(guide={"evals": {"e": {**human(), "accept": accept}}})
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


@pytest.mark.parametrize("field", [{"quorum": 2}, {"reviewers": ["ada"]}])
def test_nobody_signs_for_a_command(field: dict[str, object]) -> None:
    found = mistakes(guide={"evals": {"e": {**runtime("true"), "accept": field}}})

    assert ["belongs to human evals: nobody signs for this one" in each for each in found] == [True]


@pytest.mark.parametrize(
    ("record", "told"),
    [
        (Signed(reviewers=("Ada@x", "bob@x")), None),
        (Signed(reviewers=("ada@x",)), "signed by ada@x, of whom 1 count, and 2 must sign"),
        (Signed(reviewers=("ada@x", "eve@x")), "1 count"),
        (Signed(reviewers=("ada@x", "bob@x"), authors=("BOB@x",)), "1 count"),
        (Signed(), "signed by nobody known"),
    ],
)
def test_a_sign_off_counts_by_who_signed_and_who_wrote(record: Signed, told: str | None) -> None:
    """The profile's reviewers and quorum are asked when a record is read: they are no part of its key."""
    project = linked(
        root={"at": "", "review_policy": {"distinct_reviewer": True, "accept": {"quorum": 2}}},
        guide={"evals": {"e": human(reviewers=["ada@x", "bob@x", "cyd@x"])}},
    )
    rule = project.acceptance("guide/e")

    assert rule is not None
    assert (
        (rule.refusal(record, NOW) or "") == "" if told is None else told in (rule.refusal(record, NOW) or "")
    )


def test_reviewers_whom_the_policy_does_not_know_are_nobody() -> None:
    project = linked(
        root={"at": "", "review_policy": {"accept": {"reviewers": ["ada@x"]}}},
        guide={"evals": {"e": human(reviewers=["bob@x"]), "r": runtime("true")}},
    )
    rule = project.acceptance("guide/e")

    assert rule is not None
    assert rule.reviewers == ()
    assert "must sign" in (rule.refusal(Signed(reviewers=("bob@x",)), NOW) or "")
    assert project.acceptance("guide/r") is None
