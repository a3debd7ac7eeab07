"""Allow-lists and what counts as one site."""

from __future__ import annotations

import pytest

from codevetter_verify.domain.hosts import host_matches, parse_host_pattern, same_site
from codevetter_verify.errors import InvalidInputError


@pytest.mark.parametrize(
    ("pattern", "host", "matches"),
    [
        ("a.example", "a.example", True),
        ("a.example", "b.a.example", False),
        ("*.a.example", "b.a.example", True),
        ("*.a.example", "c.b.a.example", True),
        ("*.a.example", "a.example", False),
        ("*.a.example", "evila.example", False),
    ],
)
def test_a_pattern_matches_whole_labels(pattern: str, host: str, *, matches: bool) -> None:
    assert host_matches(pattern, host) is matches


@pytest.mark.parametrize(
    "text", ["*", "*.com", "a.*.example", "https://a.example", "a.example/x", "", "a..b"]
)
def test_a_pattern_that_allows_too_much_or_nothing_is_refused(text: str) -> None:
    with pytest.raises(InvalidInputError):
        parse_host_pattern(text)


def test_a_pattern_is_kept_in_one_spelling() -> None:
    assert parse_host_pattern(" *.Widget.Example. ") == "*.widget.example"
    assert parse_host_pattern("localhost") == "localhost"


@pytest.mark.parametrize(
    ("host", "other", "same"),
    [
        ("widget.example", "www.widget.example", True),
        ("app.example.com", "static.example.com", True),
        ("app.example.co.uk", "cdn.example.co.uk", True),
        ("app.example.co.uk", "app.other.co.uk", False),
        ("one.vercel.app", "two.vercel.app", False),
        ("one.github.io", "two.github.io", False),
        ("static.one.github.io", "one.github.io", True),
        ("example.com", "evilexample.com", False),
        ("10.0.0.1", "20.0.0.1", False),
        ("127.0.0.1", "127.0.0.1", True),
        ("localhost", "www.localhost", False),
        ("localhost", "localhost", True),
    ],
)
def test_one_site_is_one_registrable_domain(host: str, other: str, *, same: bool) -> None:
    """`one.vercel.app` and `two.vercel.app` belong to different people."""
    assert same_site(host, other) is same_site(other, host) is same
