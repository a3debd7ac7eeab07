"""A route that looks like a path that cannot exist was not seen."""

from __future__ import annotations

import pytest

from codevetter_verify.domain.control import compare, control_route
from codevetter_verify.domain.judge import Judgement, RouteCause
from codevetter_verify.domain.observation import PageState
from support.trex import observation

CONTROL = control_route("trex-preview-0123456789ab")
PASSED = Judgement("passed")
SHELL = PageState(title="Widget", text="Nothing here")


def test_the_same_page_as_the_controls_is_no_pass() -> None:
    found = compare(observation("/about", state=SHELL), PASSED, observation(CONTROL, state=SHELL))
    assert (found.outcome, found.cause) == ("inconclusive", RouteCause.INDISTINGUISHABLE)


def test_a_page_that_only_repeats_its_own_path_is_the_same_page() -> None:
    about = PageState(title="Widget", text="No page /about here")
    control = PageState(title="Widget", text=f"No page {CONTROL} here")
    found = compare(observation("/about", state=about), PASSED, observation(CONTROL, state=control))
    assert found.outcome == "inconclusive"


@pytest.mark.parametrize(
    ("route", "state", "judgement"),
    [
        ("/", SHELL, PASSED),
        ("/about", PageState(title="Widget", text="About us"), PASSED),
        ("/about", PageState(title="About", text="Nothing here"), PASSED),
        ("/about", SHELL, Judgement("failed", ("the page is blank",))),
    ],
)
def test_other_pages_the_entry_and_failures_are_judged_as_they_were(
    route: str, state: PageState, judgement: Judgement
) -> None:
    assert compare(observation(route, state=state), judgement, observation(CONTROL, state=SHELL)) == judgement


def test_the_control_is_another_path_in_every_run() -> None:
    assert control_route("trex-preview-1-aaaaaaaaaaaa") != control_route("trex-preview-1-bbbbbbbbbbbb")
