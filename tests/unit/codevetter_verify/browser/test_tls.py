"""What the opening of a TLS connection says: a page's requests, a WebSocket, or nothing that is understood."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codevetter_verify.browser.tls import MAX_RECORD, RECORD_HEAD, Hello, parse_hello, record_length
from support.hello import client_hello


@pytest.mark.parametrize("protocols", [("h2", "http/1.1"), ("http/1.1",), ()])
def test_the_offered_protocols_are_read_in_order(protocols: tuple[str, ...]) -> None:
    record = client_hello(*protocols)
    assert record_length(record[:RECORD_HEAD]) == len(record) - RECORD_HEAD
    assert parse_hello(record[RECORD_HEAD:]) == Hello(protocols)


def test_only_a_connection_for_upgrades_is_a_web_socket() -> None:
    assert Hello(("http/1.1",)).is_web_socket
    assert not Hello(("h2", "http/1.1")).is_web_socket
    assert not Hello(()).is_web_socket


@pytest.mark.parametrize("head", [b"", b"GET /", b"\x16\x02\x01\x00\x05", b"\x17\x03\x03\x00\x05"])
def test_what_is_no_handshake_has_no_length(head: bytes) -> None:
    assert record_length(head) is None


def test_a_record_over_the_bound_is_refused() -> None:
    assert record_length(b"\x16\x03\x01" + (MAX_RECORD + 1).to_bytes(2)) is None


@given(st.integers(0, 400), st.binary(max_size=60))
def test_a_broken_hello_never_raises(cut: int, tail: bytes) -> None:
    whole = client_hello("h2", "http/1.1")[RECORD_HEAD:]
    found = parse_hello(whole[:cut] + tail)
    assert found is None or isinstance(found.protocols, tuple)
