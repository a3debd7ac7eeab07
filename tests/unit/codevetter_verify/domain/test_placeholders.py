"""Pages of servers and frameworks that stand where a site's own should be, and pages that only look so."""

from __future__ import annotations

import pytest

from codevetter_verify.domain.judge import judge
from codevetter_verify.domain.observation import Navigation, PageState
from codevetter_verify.domain.placeholders import is_data, not_found_page, server_page
from support.trex import observation


@pytest.mark.parametrize(
    ("title", "heading", "text"),
    [
        ("Directory listing for /", "Directory listing for /", "Directory listing for /\napp.js"),
        ("Index of /build/", "Index of /build/", "../"),
        ("IIS Windows Server", "", ""),
        ("", "It works!", "It works!"),
        (
            "Welcome to OpenResty!",
            "Welcome to OpenResty!",
            "the OpenResty web platform is successfully installed",
        ),
    ],
)
def test_a_servers_own_page_is_known(title: str, heading: str, text: str) -> None:
    assert server_page(title, heading, text)


@pytest.mark.parametrize(
    "words",
    [
        "404",
        "Error 404",
        "404 Not Found",
        "404: This page could not be found.",
        "Page not found",
        "Sorry, this page doesn't exist",
        "The requested page was not found",
        "Page couldn't be found",
    ],
)
def test_a_page_that_only_says_it_is_missing_is_missing(words: str) -> None:
    assert not_found_page("Widget", words, f"{words}\nGo home", requested_path="/about") == words
    assert not_found_page("Widget", words, f"{words}\nGo home", requested_path="/404") is None


@pytest.mark.parametrize("words", ["404 Media", "404 ways to cook", "Lost and found", "How to find a page"])
def test_words_about_it_are_not_it(words: str) -> None:
    assert not_found_page("Widget", words, f"{words}\nRead on", requested_path="/about") is None


def test_data_longer_than_what_is_kept_is_data_too() -> None:
    assert is_data("", "", '{"items": [' + '{"id": 1}, ' * 400)
    assert not is_data("", "", "[draft] about us")


def test_a_sister_host_that_signs_people_in_is_not_the_page() -> None:
    """One registrable domain is one site, and its sign-in host still is not what was asked for."""
    moved = observation(navigation=Navigation(200, "https://login.example.com/"))
    found = judge(moved, requested_path="/", requested_host="app.example.com")
    assert found.outcome == "inconclusive"
    there = judge(moved, requested_path="/", requested_host="login.example.com")
    assert there.outcome == "passed"
    plain = observation(navigation=Navigation(200, "https://www.example.com/"), state=PageState(text="Words"))
    said = judge(plain, requested_path="/", requested_host="example.com")
    assert (said.outcome, said.limitations) == ("passed", ("answered at www.example.com/",))
