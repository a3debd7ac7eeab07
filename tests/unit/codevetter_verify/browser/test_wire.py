"""What the filtering proxy makes of a request head."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codevetter_verify.browser.wire import ProxyRequest, endpoint_of, parse_head, refusal
from codevetter_verify.domain.addresses import Endpoint


def head(first: str, *headers: str) -> ProxyRequest:
    request = parse_head("\r\n".join([first, *headers]).encode())
    assert request is not None
    return request


@pytest.mark.parametrize(
    ("first", "endpoint"),
    [
        ("GET http://a.example/x HTTP/1.1", Endpoint("a.example", 80)),
        ("GET http://A.example.:8080/x HTTP/1.1", Endpoint("a.example", 8080)),
        ("CONNECT a.example:443 HTTP/1.1", Endpoint("a.example", 443)),
        ("CONNECT [::1]:443 HTTP/1.1", Endpoint("::1", 443)),
        ("GET /x HTTP/1.1", None),
        ("GET https://a.example/x HTTP/1.1", None),
        ("CONNECT a.example HTTP/1.1", None),
        ("GET http://a.example:x/ HTTP/1.1", None),
    ],
)
def test_a_request_is_for_one_endpoint_or_not_understood(first: str, endpoint: Endpoint | None) -> None:
    assert endpoint_of(head(first)) == endpoint


@pytest.mark.parametrize(
    ("first", "headers"),
    [
        ("POST http://a.example/ HTTP/1.1", ()),
        ("DELETE http://a.example/ HTTP/1.1", ()),
        ("PROPFIND http://a.example/ HTTP/1.1", ()),
        ("GET http://a.example/ HTTP/1.1", ("Content-Length: 3",)),
        ("GET http://a.example/ HTTP/1.1", ("Transfer-Encoding: chunked",)),
        ("GET http://a.example/ HTTP/1.1", ("Upgrade: websocket",)),
    ],
)
def test_what_may_change_state_is_objected_to(first: str, headers: tuple[str, ...]) -> None:
    assert head(first, *headers).objection() is not None


@pytest.mark.parametrize("method", ["GET", "HEAD", "OPTIONS"])
def test_reading_is_let_through_in_origin_form(method: str) -> None:
    request = head(
        f"{method} http://a.example/x?y=1 HTTP/1.1",
        "Host: a.example",
        "Proxy-Connection: keep-alive",
        "Accept: */*",
    )
    assert request.objection() is None
    assert request.forwarded() == (
        f"{method} /x?y=1 HTTP/1.1\r\nHost: a.example\r\nAccept: */*\r\nConnection: close\r\n\r\n".encode()
    )


@given(st.binary(max_size=200))
def test_any_bytes_are_a_request_or_none(data: bytes) -> None:
    request = parse_head(data)
    if request is not None:
        endpoint_of(request)
        assert b"\n" not in request.forwarded().split(b"\r\n")[0]


def test_a_reason_cannot_forge_a_header() -> None:
    answer = refusal("bad\r\nSet-Cookie: x=1")
    assert b"\r\nSet-Cookie" not in answer
    assert answer.startswith(b"HTTP/1.1 403 ")
