"""The checks that other tests lean on do fail where they should."""

from __future__ import annotations

import json
import sys
from typing import Any

import pytest
from mcp.types import Tool

from mcpkit.listing import listing_of
from mcpkit.testing import RawServer, check_failure, check_success, check_tools
from support.demo_server.server import OPERATIONS

TOOLS = listing_of(OPERATIONS).tools
PRINTER = "import sys; sys.stdin.readline(); print('not json', flush=True); sys.stdin.read()"
SILENT = "import sys; sys.stdin.read()"


def tool(**changes: Any) -> dict[str, Any]:
    return {**TOOLS[0], **changes}


def success(structured: object, text: str | None = None) -> dict[str, Any]:
    compact = json.dumps(structured, separators=(",", ":"))
    return {
        "content": [{"type": "text", "text": text or compact}],
        "structuredContent": structured,
        "isError": False,
    }


def failure(**changes: Any) -> dict[str, Any]:
    return {"content": [{"type": "text", "text": '{"code":"x"}'}], "isError": True, **changes}


def test_good_tools_pass() -> None:
    check_tools([tool(), Tool.model_validate(TOOLS[1])])


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"name": "run.review"}, "the name is not"),
        ({"title": ""}, "title or description is missing"),
        ({"description": None}, "title or description is missing"),
        ({"annotations": {"readOnlyHint": True}}, "destructiveHint is not given"),
        ({"inputSchema": {"type": "object", "properties": {}}}, "inputSchema #: takes unknown properties"),
        ({"inputSchema": {"anyOf": []}}, "inputSchema is no object at its root"),
        (
            {
                "inputSchema": {
                    "type": "object",
                    "additionalProperties": False,
                    "properties": {"a": {"$ref": "#/x"}},
                }
            },
            "inputSchema #/properties/a: $ref",
        ),
        (
            {
                "inputSchema": {
                    "type": "object",
                    "additionalProperties": False,
                    "properties": {"a": {"type": "object", "properties": {}}},
                }
            },
            "inputSchema #/properties/a: takes unknown properties",
        ),
        ({"outputSchema": None}, "outputSchema is no object at its root"),
        (
            {"outputSchema": {"type": "object", "properties": {"a": {"const": 1}}}},
            "outputSchema #/properties/a: const",
        ),
    ],
)
def test_a_tool_that_some_host_cannot_take_fails(changes: dict[str, Any], problem: str) -> None:
    with pytest.raises(AssertionError) as caught:
        check_tools([tool(**changes)])
    assert problem in str(caught.value)


def test_no_tools_and_too_many_bytes_fail() -> None:
    with pytest.raises(AssertionError, match="offers no tools"):
        check_tools([])
    with pytest.raises(AssertionError, match="over 100"):
        check_tools([tool()], max_bytes=100)


def test_good_results_pass() -> None:
    assert check_success(success({"schema_version": "demo.v1", "sum": 1}), tool())["sum"] == 1
    assert check_failure(failure()) == {"code": "x"}


@pytest.mark.parametrize(
    "result",
    [
        failure(),
        success({"schema_version": "demo.v1", "sum": 1}, "see structuredContent"),
        success({"schema_version": "demo.v1", "sum": 1}, '{"schema_version":"demo.v1", "sum":1}'),
        success({"schema_version": "demo.v1", "sum": 1, "more": "x" * 70_000}),
    ],
)
def test_a_success_that_some_host_loses_fails(result: dict[str, Any]) -> None:
    with pytest.raises(AssertionError):
        check_success(result, tool(outputSchema={"type": "object"}))


def test_a_success_that_breaks_its_schema_fails() -> None:
    with pytest.raises(Exception, match="'sum' is a required property"):
        check_success(success({"schema_version": "demo.v1"}), tool())


@pytest.mark.parametrize(
    "result",
    [
        success({"a": 1}),
        failure(structuredContent={"code": "x"}),
        failure(content=[{"type": "text", "text": "[]"}]),
        failure(content=[]),
        failure(content=[{"type": "text", "text": json.dumps({"code": "x" * 70_000})}]),
    ],
)
def test_a_failure_that_some_host_hides_fails(result: dict[str, Any]) -> None:
    with pytest.raises(AssertionError):
        check_failure(result)


def test_a_line_that_is_no_message_fails_whoever_waits() -> None:
    with (
        RawServer([sys.executable, "-c", PRINTER], timeout=20) as raw,
        pytest.raises(AssertionError) as caught,
    ):
        raw.result("ping")
    assert "no JSON-RPC message: b'not json'" in str(caught.value)


def test_a_server_that_ends_or_never_answers_fails_whoever_waits() -> None:
    with RawServer([sys.executable, "-c", "print()", "x"], timeout=20) as raw:
        raw.wait()
        with pytest.raises(AssertionError):
            raw.wait_for(lambda _frame: True)
    with (
        RawServer([sys.executable, "-c", SILENT], timeout=0.1) as raw,
        pytest.raises(AssertionError, match="no such frame"),
    ):
        raw.result("ping")
    assert raw.log == ""
