"""A verdict is exactly one JSON object that its schemas allow."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from artifactize.agents.verdict import InvalidVerdict, parse, result_schema

if TYPE_CHECKING:
    from artifactize.domain.declarations import Json

PASS: dict[str, Json] = {
    "type": "object",
    "properties": {"terms": {"type": "integer"}},
    "additionalProperties": False,
}
FAIL: dict[str, Json] = {"type": "object", "required": ["missing"]}
SCHEMA = result_schema(PASS, FAIL)


def test_a_verdict_comes_with_its_owners_fields() -> None:
    found = parse(' {"verdict": "GREEN", "summary": "ü", "terms": 3}\n', SCHEMA)
    assert (found.verdict, found.summary, found.fields) == ("GREEN", "ü", {"terms": 3})
    assert found.json == '{"verdict":"GREEN","summary":"ü","terms":3}'
    assert parse('{"verdict": "RED", "summary": "s", "missing": ["a"]}', SCHEMA).fields == {"missing": ["a"]}


NONE = [
    ("", "empty"),
    ('```json\n{"verdict": "GREEN", "summary": "s"}\n```', "not one JSON object"),
    ('{"verdict": "GREEN", "summary": "s"} {"verdict": "RED", "summary": "s"}', "not one JSON object"),
    ('{"verdict": "RED", "verdict": "GREEN", "summary": "s"}', "twice"),
    ('[{"verdict": "GREEN", "summary": "s"}]', "not an object"),
    ('{"verdict": "green", "summary": "s"}', "verdict"),
    ('{"verdict": "ERROR", "summary": "s"}', "verdict"),
    ('{"verdict": "GREEN"}', "summary"),
    ('{"verdict": "GREEN", "summary": ""}', "summary"),
    ('{"verdict": "GREEN", "summary": "s", "terms": NaN}', "NaN"),
    ('{"verdict": "GREEN", "summary": "s", "other": 1}', "owner's fields"),
    ('{"verdict": "RED", "summary": "s"}', "missing"),
    ("[" * 100_000, "not one JSON object"),
    (json.dumps({"verdict": "GREEN", "summary": "s" * 5000}), "summary"),
    (json.dumps({"verdict": "GREEN", "summary": "s" * 300_000}), "characters"),
]


def test_anything_else_is_none() -> None:
    for text, why in NONE:
        with pytest.raises(InvalidVerdict, match=why):
            parse(text, SCHEMA)


def test_fields_that_nobody_declared_are_refused() -> None:
    with pytest.raises(InvalidVerdict, match="owner's fields"):
        parse('{"verdict": "GREEN", "summary": "s", "more": 1}', result_schema())
