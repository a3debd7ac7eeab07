"""What fails a route, what only limits it, and what keeps it from being judged at all."""

from __future__ import annotations

from typing import Any

import pytest

from codevetter_verify.domain.findings import Visited
from codevetter_verify.domain.journeys import to_journey
from codevetter_verify.domain.judge import Judgement, RouteCause, judge
from codevetter_verify.domain.observation import Navigation, NetworkProblem, PageState, ScriptError
from codevetter_verify.domain.redaction import Redactor
from codevetter_verify.models import Contained
from support.trex import observation

URL = "http://preview.example/"


def judged(**changes: Any) -> Judgement:
    return judge(observation(**changes), requested_path="/")


def page(**state: Any) -> PageState:
    return PageState(**{"title": "Widget", "text": "All about it", **state})


def test_a_flawless_page_passes_without_a_word() -> None:
    assert judged() == Judgement("passed")


@pytest.mark.parametrize("status", [400, 404, 410, 500, 503])
def test_an_error_status_fails(status: int) -> None:
    found = judged(navigation=Navigation(status, URL))
    assert found.outcome == "failed"
    assert str(status) in found.failures[0]


@pytest.mark.parametrize("status", [401, 403, 407, 429])
def test_a_wall_is_neither_passed_nor_failed(status: int) -> None:
    found = judged(navigation=Navigation(status, URL))
    assert (found.outcome, found.cause) == ("inconclusive", RouteCause.WALL)


@pytest.mark.parametrize(
    "changes",
    [
        {"state": page(text="")},
        {"state": page(overlay="TypeError in page.tsx")},
        {"state": page(not_found_marker=True)},
        {"state": page(title="502 Bad Gateway", heading="502 Bad Gateway")},
        {"state": page(text="Error establishing a database connection")},
        {"state": page(text="Traceback (most recent call last):\n  File 'app.py'\nKeyError: x")},
        {"state": page(text='{"error":"internal"}', content_type="application/json")},
        {"page_errors": (ScriptError("TypeError: x is undefined", URL, 3, 7),)},
        {"console_errors": (ScriptError("widget broke"),)},
        {"network": (NetworkProblem(URL + "a.js", "script", "status 404", first_party=True),)},
        {"network": (NetworkProblem(URL + "api", "fetch", "net::ERR_FAILED", first_party=True),)},
        {"interruption": "navigation_failed", "detail": "net::ERR_TOO_MANY_REDIRECTS"},
    ],
)
def test_what_the_page_did_wrong_fails_it(changes: dict[str, Any]) -> None:
    found = judged(**changes)
    assert found.outcome == "failed"
    assert found.failures


def test_an_exception_is_named_with_its_place() -> None:
    found = judged(page_errors=(ScriptError("TypeError: x", URL + "a.js", 3, 7),))
    assert found.failures == (f"uncaught exception: TypeError: x ({URL}a.js:3:7)",)


@pytest.mark.parametrize(
    "changes",
    [
        {"console_errors": (ScriptError("tracker", "https://cdn.example/t.js", 1, 1, first_party=False),)},
        {"page_errors": (ScriptError("tracker", "https://cdn.example/t.js", 1, 1, first_party=False),)},
        {
            "network": (
                NetworkProblem("https://cdn.example/t.js", "script", "net::ERR_FAILED", first_party=False),
            )
        },
        {"network": (NetworkProblem(URL + "a.png", "image", "status 404", first_party=True),)},
        {"contained": Contained(requests=2)},
        {"state": page(heading="Page not found", text="and more words " * 50)},
        {"state": page(text="Loading…")},
        {"transferred_bytes": 20_000_001},
        {"state": page(heading="Something went wrong!")},
        {"state": page(text="export default Page", content_type="text/plain")},
        {"navigation": Navigation(200, URL + "en/")},
    ],
)
def test_noise_and_doubts_limit_a_pass_and_never_fail(changes: dict[str, Any]) -> None:
    found = judged(**changes)
    assert found.outcome == "passed"
    assert found.limitations


@pytest.mark.parametrize(
    ("changes", "cause"),
    [
        ({"interruption": "deadline"}, RouteCause.DEADLINE),
        ({"interruption": "crashed"}, RouteCause.CRASHED),
        ({"interruption": "refused_address", "detail": "metadata"}, RouteCause.ADDRESS),
        ({"interruption": "off_site", "detail": "sign-in host"}, RouteCause.WALL),
        ({"navigation": None}, RouteCause.NOT_OBSERVED),
        ({"state": None}, RouteCause.NOT_OBSERVED),
        ({"state": page(title="Login \u2013 Vercel")}, RouteCause.WALL),
        ({"state": page(text="Just a moment...")}, RouteCause.WALL),
        ({"navigation": Navigation(200, URL + "login?next=/")}, RouteCause.NEEDS_SESSION),
        ({"navigation": Navigation(200, URL + "users/sign_in")}, RouteCause.NEEDS_SESSION),
        ({"navigation": Navigation(200, URL + "login.php")}, RouteCause.NEEDS_SESSION),
        ({"state": page(heading="Sign in to Widget", password_field=True)}, RouteCause.NEEDS_SESSION),
        ({"state": page(title="Log in", password_field=True)}, RouteCause.NEEDS_SESSION),
    ],
)
def test_what_was_not_seen_is_not_judged(changes: dict[str, Any], cause: RouteCause) -> None:
    found = judged(**changes)
    assert (found.outcome, found.cause) == ("inconclusive", cause)
    assert not found.failures


def test_the_sign_in_page_itself_may_be_the_route() -> None:
    form = page(title="Sign in", heading="Sign in", password_field=True)
    seen = observation("/login", navigation=Navigation(200, URL + "login"), state=form)
    assert judge(seen, requested_path="/login").outcome == "passed"


@pytest.mark.parametrize(
    "state",
    [
        page(title="Change your password", heading="Account", password_field=True),
        page(title="Single sign-on for teams", heading="Signing in, explained"),
        page(heading="500 Internal Server Error, explained", text="How to find its cause. " * 40),
    ],
)
def test_pages_about_passwords_and_errors_are_pages(state: PageState) -> None:
    assert judged(state=state) == Judgement("passed")


def test_an_error_that_our_blocking_provoked_is_a_limitation() -> None:
    """A GraphQL read by POST that we aborted is not the page's fault."""
    error = ScriptError("TypeError: Failed to fetch", URL, 1, 1)
    found = judged(page_errors=(error,), contained=Contained(requests=1))
    assert found.outcome == "passed"
    assert "T-Rex's own blocking" in found.limitations[0]


def test_the_same_error_without_any_blocking_is_the_pages() -> None:
    assert judged(page_errors=(ScriptError("TypeError: Failed to fetch", URL, 1, 1),)).outcome == "failed"


def test_a_network_error_is_the_pages_when_its_own_request_failed_too() -> None:
    found = judged(
        page_errors=(ScriptError("TypeError: Failed to fetch", URL, 1, 1),),
        contained=Contained(requests=1),
        network=(NetworkProblem(URL + "api", "fetch", "status 500", first_party=True),),
    )
    assert found.outcome == "failed"


def test_a_page_left_blank_by_our_blocking_is_inconclusive() -> None:
    error = ScriptError("SecurityError: SharedWorker blocked by T-Rex", URL, 1, 1)
    found = judged(state=page(text=""), page_errors=(error,), contained=Contained(apis=1))
    assert (found.outcome, found.cause) == ("inconclusive", RouteCause.GUARD)


@pytest.mark.parametrize(
    "text",
    [
        "Error: Minified React error #418; visit https://react.dev/errors/418",
        "Warning: Text content did not match. Server: 'a' Client: 'b'",
        "Hydration failed because the server rendered HTML didn't match the client",
        "[Vue warn]: Hydration node mismatch: - rendered on server: <p>",
        "Hydration completed but contains mismatches.",
        "https://svelte.dev/e/hydration_mismatch",
        "NG0500: During hydration Angular expected <p> but found <div>",
    ],
)
def test_a_hydration_error_is_named_as_one(text: str) -> None:
    found = judged(console_errors=(ScriptError(text),))
    assert found.failures == (f"hydration error: {text}",)


@pytest.mark.parametrize("text", ["Failed to dehydrate water", "Minified React error #31", "hydrant is red"])
def test_other_errors_are_not_called_hydration(text: str) -> None:
    assert judged(console_errors=(ScriptError(text),)).failures == (f"console error: {text}",)


def test_a_page_that_was_still_loading_is_limited_to_what_was_there() -> None:
    found = judged(loaded=False)
    assert found.outcome == "passed"
    assert found.limitations == ("the page had not finished loading when it was judged",)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"watched_ms": 1234}, "watched for 1.2 s after it had loaded"),
        ({"watched_ms": 1234, "loaded": False}, "watched for 1.2 s while it went on loading"),
        ({}, "no page was watched"),
    ],
)
def test_a_journey_says_how_far_the_absence_of_errors_reaches(changes: dict[str, Any], words: str) -> None:
    seen = observation(**changes)
    journey = to_journey(Visited(seen, judge(seen, requested_path="/")), Redactor.of_query(""))
    assert words in journey.notes
    assert journey.trace.watched_ms == seen.watched_ms
