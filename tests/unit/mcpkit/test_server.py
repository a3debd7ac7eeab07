"""The demo's tools through the SDK's own client, in process."""

from __future__ import annotations

import json
import logging
import threading
from typing import TYPE_CHECKING, Any

import anyio
import pytest
from mcp import Client, MCPError

from mcpkit.errors import ToolError
from mcpkit.listing import listing_of
from mcpkit.server import build_server
from mcpkit.testing import check_failure, check_success, check_tools
from support.demo_server.server import ENVELOPE, OPERATIONS, build

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from mcpkit.operation import Operation

pytestmark = pytest.mark.anyio
LOGGER = "mcpkit.server"


@pytest.fixture(params=["legacy", "auto"])
async def client(request: pytest.FixtureRequest) -> AsyncIterator[Client]:
    async with Client(build(), mode=request.param) as connected:
        yield connected


async def tool(client: Client, name: str) -> Any:
    return next(tool for tool in (await client.list_tools()).tools if tool.name == name)


async def test_hosts_can_take_every_tool(client: Client) -> None:
    check_tools((await client.list_tools()).tools)


async def test_only_tools_are_offered_and_their_list_does_not_change(client: Client) -> None:
    capabilities = client.server_capabilities.model_dump(exclude_none=True)
    assert capabilities == {"tools": {"list_changed": False}}
    assert client.instructions == "Try things."


async def test_titles_and_hints_are_those_of_the_operation(client: Client) -> None:
    annotations = (await tool(client, "hang")).annotations
    assert annotations.model_dump() == {
        "title": "Hang",
        "read_only_hint": False,
        "destructive_hint": False,
        "idempotent_hint": False,
        "open_world_hint": True,
    }


async def test_the_text_of_a_success_is_the_compact_json_of_its_structured_content(client: Client) -> None:
    result = await client.call_tool("add", {"a": 2, "b": 3})
    assert check_success(result, await tool(client, "add")) == {"schema_version": "demo.v1", "sum": 5}


async def test_null_results_reach_the_client_and_fit_the_output_schema(client: Client) -> None:
    arguments = {"scope": '{"kind":"one","name":"ż"}', "tags": None, "data": {"kept": None}}
    data = check_success(await client.call_tool("select", arguments), await tool(client, "select"))
    assert (data["tags"], data["data"], data["scope"]) == (None, {"kept": None}, {"kind": "one", "name": "ż"})


async def test_a_declared_failure_is_the_envelope_and_nothing_else(client: Client) -> None:
    body = check_failure(await client.call_tool("fail", {"how": "declared"}))
    assert body == {
        "error_class": "not_found",
        "message": "no such thing (name another)",
        "schema_version": "demo.v1",
        "thing": "x",
        "retry_after_ms": 5,
    }


async def test_a_failure_inside_task_groups_is_still_that_failure(client: Client) -> None:
    assert check_failure(await client.call_tool("fail", {"how": "grouped"}))["error_class"] == "not_found"


async def test_control_characters_of_a_failure_are_spelled_out(client: Client) -> None:
    body = check_failure(await client.call_tool("fail", {"how": "control"}))
    assert (body["message"], body["path"]) == (r"red \u001b[31m and \u202edetrever", r"\udcff")


@pytest.mark.parametrize("how", ["undeclared", "unknown", "exit", "wrong_type", "not_a_number"])
async def test_a_defect_is_an_internal_error_whose_details_are_only_in_the_log(
    client: Client, how: str, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.ERROR, LOGGER):
        result = await client.call_tool("fail", {"how": how})
    body = check_failure(result)
    assert body["error_class"] == "internal_error"
    assert "secret" not in body["message"]
    record = next(record for record in caplog.records if record.name == LOGGER)
    assert record.getMessage().split()[2] in body["message"]
    assert record.exc_info


@pytest.mark.parametrize("arguments", [{"a": "2"}, {"a": True}, {"a": 2, "c": 1}, {"a": 1001}, {}])
async def test_bad_arguments_are_an_answer_that_the_model_sees(
    client: Client, arguments: dict[str, Any]
) -> None:
    body = check_failure(await client.call_tool("add", arguments))
    assert body["error_class"] == "invalid_arguments"
    assert "`a`" in body["message"] or "`c`" in body["message"]


async def test_an_unknown_tool_is_a_protocol_error_that_names_the_known_ones(client: Client) -> None:
    with pytest.raises(MCPError, match=r"Unknown tool: ad.*tools: add, select") as caught:
        await client.call_tool("ad", {})
    assert caught.value.error.code == -32602


async def test_a_result_over_the_limit_becomes_a_failure_that_says_how_to_page(client: Client) -> None:
    body = check_failure(await client.call_tool("big", {"size": 70_000}))
    assert body["error_class"] == "invalid_arguments"
    assert "use `limit` to page" in body["message"]
    check_success(await client.call_tool("big", {"size": 70_000, "limit": 30_000}), await tool(client, "big"))


async def test_a_result_over_the_limit_without_pages_is_a_defect(client: Client) -> None:
    assert (
        check_failure(await client.call_tool("big_whole", {"size": 70_000}))["error_class"]
        == "internal_error"
    )


async def test_a_huge_failure_is_bounded(client: Client) -> None:
    body = check_failure(await client.call_tool("big_failure", {"size": 100_000}))
    assert sorted(body["omitted"]) == ["detail", "more"]


async def test_progress_is_strictly_increasing(client: Client) -> None:
    heard: list[tuple[float, float | None, str | None]] = []

    async def hear(progress: float, total: float | None, message: str | None) -> None:
        heard.append((progress, total, message))

    await client.call_tool("count", {"steps": 3}, progress_callback=hear)
    assert heard == [(1, 3, "step 1"), (2, 3, "step 2"), (3, 3, "step 3")]


class Opening:
    """What opens the demo's tools, and where and how often it was asked to."""

    def __init__(self, *failures: Exception) -> None:
        self.failures = list(failures)
        self.threads: list[threading.Thread] = []

    def __call__(self) -> tuple[Operation, ...]:
        self.threads.append(threading.current_thread())
        if self.failures:
            raise self.failures.pop(0)
        return OPERATIONS

    def client(self) -> Client:
        listing = listing_of(OPERATIONS)
        return Client(
            build_server(name="x", version="1", listing=listing, operations=self, envelope=ENVELOPE)
        )


async def test_tools_are_opened_by_the_first_call_once_and_away_from_the_event_loop() -> None:
    opening = Opening()
    async with opening.client() as client:
        assert len((await client.list_tools()).tools) == len(OPERATIONS)
        with pytest.raises(MCPError, match="Unknown tool"):
            await client.call_tool("no_such_tool", {})
        assert opening.threads == []
        async with anyio.create_task_group() as tasks:
            for _ in range(5):
                tasks.start_soon(client.call_tool, "add", {"a": 1})
    (thread,) = opening.threads
    assert thread is not threading.current_thread()


async def test_tools_that_cannot_be_opened_are_the_answer_and_are_tried_again(
    caplog: pytest.LogCaptureFixture,
) -> None:
    opening = Opening(ToolError("not_found", "no state", hint="make one"), ImportError("secret module"))
    async with opening.client() as client:
        refused = check_failure(await client.call_tool("add", {"a": 1}))
        assert (refused["error_class"], refused["message"]) == ("not_found", "no state (make one)")
        with caplog.at_level(logging.ERROR, LOGGER):
            broken = check_failure(await client.call_tool("add", {"a": 1}))
        assert broken["error_class"] == "internal_error"
        assert "secret" not in broken["message"]
        check_success(await client.call_tool("add", {"a": 1}), await tool(client, "add"))


async def test_the_largest_result_that_passes_stays_within_the_limit_on_the_wire() -> None:
    """The text is in the frame twice, once escaped; quotes cost most."""
    async with Client(build()) as client:
        sizes = [await _accepted(client, size) for size in range(31_000, 33_000, 100)]
    assert any(sizes)
    assert not all(sizes)
    assert max(sizes) <= 64 * 1024


async def _accepted(client: Client, size: int) -> int:
    result = await client.call_tool("big_whole", {"size": size})
    wire = result.model_dump(mode="json", by_alias=True, exclude_none=True)
    return 0 if result.is_error else len(json.dumps(wire, separators=(",", ":")))
