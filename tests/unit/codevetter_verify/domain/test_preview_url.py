"""Only plain http(s) addresses get in, in one spelling, and routes stay below the preview's own path."""

from __future__ import annotations

from urllib.parse import urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codevetter_verify.domain.preview_url import PreviewUrl, follow, parse_preview_url
from codevetter_verify.errors import InvalidInputError

LABEL = st.from_regex(r"\A[a-z][a-z0-9]{0,10}\Z")
HOSTS = st.lists(LABEL, min_size=1, max_size=4).map(".".join)
PATHS = st.text(
    alphabet=st.characters(exclude_categories=["Cc", "Cs", "Z"], exclude_characters="?#\\"), max_size=30
)


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("https://Widget.Example.com", "https://widget.example.com/"),
        ("https://widget.example.com:443/", "https://widget.example.com/"),
        ("http://127.0.0.1:4321/app/", "http://127.0.0.1:4321/app/"),
        ("http://[::1]:3000/", "http://[::1]:3000/"),
        ("https://example.com./x#part", "https://example.com/x"),
        ("https://münchen.example/ü", "https://xn--mnchen-3ya.example/%C3%BC"),
    ],
)
def test_an_address_is_kept_in_one_spelling(text: str, address: str) -> None:
    assert parse_preview_url(text).address == address


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("ftp://example.com", "http://"),
        ("file:///etc/passwd", "http://"),
        ("example.com", "http://"),
        ("https://user:secret@example.com", "password"),
        ("https://@example.com", "password"),
        ("https://", "no host"),
        ("https://exa mple.com", "white space"),
        ("https://example.com/\nx", "white space"),
        ("https://example.com\\@evil.example", "backslash"),
        ("http://2130706433/", "unusual spelling"),
        ("http://127.1/", "unusual spelling"),
        ("http://0x7f000001/", "unusual spelling"),
        ("http://[fe80::1%25eth0]/", "zone"),
        ("http://example.com:0/", "port 0"),
        ("http://example.com:99999/", "no address"),
        ("http://exa..mple/", "host name"),
        ("https://example.com/" + "x" * 2048, "2048"),
    ],
)
def test_what_breaks_a_rule_is_refused_with_the_rule(text: str, rule: str) -> None:
    with pytest.raises(InvalidInputError, match="preview_url") as caught:
        parse_preview_url(text)
    assert rule in str(caught.value)


@given(st.text(max_size=60))
def test_any_text_is_an_address_or_refused(text: str) -> None:
    """No other exception, and what gets in is read the same way by everybody."""
    try:
        url = parse_preview_url(text)
    except InvalidInputError:
        return
    again = urlsplit(url.address)
    assert again.scheme in {"http", "https"}
    assert (again.username, again.password, again.fragment) == (None, None, "")
    assert parse_preview_url(url.address) == url


@given(
    host=HOSTS, path=PATHS, route=st.from_regex(r"\A(/[a-z0-9]{1,6}){0,3}\Z").map(lambda text: text or "/")
)
def test_a_route_stays_at_the_origin_below_the_preview(host: str, path: str, route: str) -> None:
    base = parse_preview_url(f"https://{host}/{path}?token=abc")
    joined = base.for_route(route)
    assert joined.same_origin(base)
    assert joined.query == ""
    assert joined.path.startswith(base.path.rstrip("/"))


def test_the_entry_route_is_the_preview_itself() -> None:
    base = parse_preview_url("https://example.github.io/widget/")
    assert base.for_route("/").path == "/widget/"
    assert base.for_route("/about").path == "/widget/about"


@pytest.mark.parametrize(
    ("location", "target"),
    [
        ("/next", "https://a.example/next"),
        ("//b.example/x", "https://b.example/x"),
        ("http://[::1]/", "http://[::1]/"),
        ("?other=1", "https://a.example/start?other=1"),
        ("javascript:alert(1)", None),
        ("https://u:p@b.example/", None),
        ("https://b.example/\r\nx", None),
        ("", None),
    ],
)
def test_a_redirect_never_takes_the_query_along(location: str, target: str | None) -> None:
    current = PreviewUrl("https", "a.example", 443, "/start", "bypass=secret")
    led = follow(current, location)
    assert (led.address if led else None) == target
