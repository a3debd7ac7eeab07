from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcpkit.stdio.frames import INVALID_REQUEST, PARSE_ERROR, refusals


def answers(line: bytes) -> list[tuple[Any, int]]:
    refused = refusals(line)
    assert refused is not None, "the SDK would get this line"
    assert all(text.endswith("\n") for text in refused)
    return [(frame["id"], frame["error"]["code"]) for frame in map(json.loads, refused)]


@pytest.mark.parametrize(
    "line",
    [
        b'{"jsonrpc":"2.0","id":1,"method":"ping"}',
        b'{"jsonrpc":"2.0","id":"a","method":"ping","params":{}}\r',
        b'{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}',
        b'{"jsonrpc":"2.0","id":1,"result":{}}',
        b'{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"x"}}',
        b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"\xff"}}',
    ],
)
def test_messages_go_to_the_sdk(line: bytes) -> None:
    assert refusals(line) is None


@pytest.mark.parametrize(
    ("line", "code"),
    [
        (b'{"id":7,"method":"ping"}', INVALID_REQUEST),
        (b'{"jsonrpc":"1.0","id":7,"method":"ping"}', INVALID_REQUEST),
        (b'{"jsonrpc":"2.0","id":7,"method":5}', INVALID_REQUEST),
        (b'{"jsonrpc":"2.0","id":7,"method":"ping","params":[1]}', INVALID_REQUEST),
        (b'{"jsonrpc":"2.0","id":7,"method":"ping","params":null}', INVALID_REQUEST),
        (b'{"jsonrpc":"2.0","id":7,"method":"x","params":{"a":"\\ud800"}}', PARSE_ERROR),
        (
            b'{"jsonrpc":"2.0","id":7,"method":"x","params":{"a":' + b"[" * 500 + b"]" * 500 + b"}}",
            PARSE_ERROR,
        ),
    ],
)
def test_a_request_that_can_be_told_by_its_id_is_refused_by_that_id(line: bytes, code: int) -> None:
    assert answers(line) == [(7, code)]


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"   \r",
        b"hello",
        b"{",
        b"5",
        b'"text"',
        b"null",
        b"[]",
        b"\xff\xfe",
        b"[" * 100_000,
        b'{"jsonrpc":"2.0","id":null,"method":"ping"}',
        b'{"jsonrpc":"2.0","id":true,"method":"ping"}',
        b'{"jsonrpc":"2.0","id":1.5,"method":"ping"}',
        b'{"jsonrpc":"2.0","id":{},"method":"ping"}',
        b'{"jsonrpc":"2.0"}',
    ],
)
def test_what_names_no_request_gets_no_answer(line: bytes) -> None:
    assert answers(line) == []


def test_each_request_of_a_batch_is_refused_so_that_none_waits() -> None:
    batch = [
        {"jsonrpc": "2.0", "id": 1, "method": "ping"},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "id": "b", "method": "ping"},
        {"jsonrpc": "2.0", "id": 3, "result": {}},
        5,
    ]
    assert answers(json.dumps(batch).encode()) == [(1, INVALID_REQUEST), ("b", INVALID_REQUEST)]


@given(
    st.binary(max_size=300)
    | st.recursive(st.none() | st.integers() | st.text(), st.lists).map(lambda v: json.dumps(v).encode())
)
def test_no_line_breaks_it(line: bytes) -> None:
    refused = refusals(line)
    assert refused is None or all(json.loads(text)["jsonrpc"] == "2.0" for text in refused)
