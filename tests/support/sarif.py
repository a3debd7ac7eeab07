"""Holds a SARIF file against the standard's JSON Schema and against what GitHub takes.

`schemas/sarif-2.1.0-rtm.5.json` is the committee's schema as Microsoft publishes it (MIT) in the npm package
@microsoft/jest-sarif 1.0.0-beta.0, unchanged.
"""

from __future__ import annotations

import gzip
import json
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema

_SCHEMA = Path(__file__).parent / "schemas" / "sarif-2.1.0-rtm.5.json"


@cache
def _validator() -> jsonschema.Draft4Validator:
    schema = json.loads(_SCHEMA.read_text(encoding="utf-8"))
    return jsonschema.Draft4Validator(schema, format_checker=jsonschema.Draft4Validator.FORMAT_CHECKER)


def check_sarif(content: bytes) -> dict[str, Any]:
    """Fail with the first place that is not right; give the one run."""
    document = json.loads(content)
    problems = sorted(
        _validator().iter_errors(document), key=lambda error: list(map(str, error.absolute_path))
    )
    assert not problems, [f"{list(error.absolute_path)}: {error.message[:200]}" for error in problems[:3]]
    assert len(gzip.compress(content)) <= 10_000_000
    (run,) = document["runs"]
    rules = run["tool"]["driver"]["rules"]
    assert len(run["results"]) <= 25_000
    assert len({rule["id"] for rule in rules}) == len(rules) <= 25_000
    for descriptor in (*rules, *run["tool"]["driver"]["notifications"]):
        _check_descriptor(descriptor)
    for rule in rules:
        assert len(rule["properties"]["tags"]) <= 20
        assert len(rule["name"]) <= 255
    for result in run["results"]:
        _check_result(result, rules)
    return dict(run)


def _check_descriptor(descriptor: dict[str, Any]) -> None:
    """What GitHub wants of rules it wants of notifications, too (GH2012 of Microsoft's validator)."""
    assert descriptor["help"]["text"]
    for name in ("shortDescription", "fullDescription"):
        assert 0 < len(descriptor[name]["text"]) <= 1024


def _check_result(result: dict[str, Any], rules: list[dict[str, Any]]) -> None:
    assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
    (location,) = result["locations"]
    place = location["physicalLocation"]
    uri = place["artifactLocation"]["uri"]
    assert uri.isascii()
    assert not set(uri) & set(' \n"<>\\^`{|}#?:')
    assert place["region"]["startLine"] >= 1
    assert ":" in result["partialFingerprints"]["primaryLocationLineHash"]
