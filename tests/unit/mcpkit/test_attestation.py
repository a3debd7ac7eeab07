"""Statements that other tools can read."""

from __future__ import annotations

from typing import Any

import pytest
from jsonschema import Draft202012Validator

from mcpkit.attestation import Resource, TestRun, statement, test_result_statement
from support.intoto import TEST_RESULT_STATEMENT


def made(**changes: Any) -> TestRun:
    given: dict[str, Any] = {
        "result": "PASSED",
        "configuration": [Resource(name="how", uri="https://how.example/")],
        "passed": ["a"],
    }
    return TestRun(**{**given, **changes})


COMMIT = Resource(digest={"gitCommit": "d" * 40})


@pytest.mark.parametrize(
    "run",
    [made(), made(result="FAILED", failed=["b"], warned=["c"], url="https://ci.example/1"), made(passed=())],
)
def test_a_statement_is_what_the_specification_asks_for(run: TestRun) -> None:
    Draft202012Validator(TEST_RESULT_STATEMENT).validate(test_result_statement([COMMIT], run))


def test_a_descriptor_says_only_what_is_known() -> None:
    assert COMMIT.document() == {"digest": {"gitCommit": "d" * 40}}


def test_a_descriptor_that_identifies_nothing_is_refused() -> None:
    with pytest.raises(ValueError, match="a uri or a digest"):
        Resource(name="text", media_type="text/plain")


def test_a_digest_that_is_none_is_refused() -> None:
    with pytest.raises(ValueError, match="not lower-case hexadecimal"):
        Resource(digest={"sha256": "ABC"})


@pytest.mark.parametrize("subject", [[], [Resource(uri="https://no-digest.example/")]])
def test_a_subject_needs_a_digest(subject: list[Resource]) -> None:
    with pytest.raises(ValueError, match="each with a digest"):
        statement(subject, predicate_type="x", predicate={})
