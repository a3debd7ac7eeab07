"""Every server at every protocol revision the SDK speaks: by raw frames, and by the official client."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import anyio
import pytest
from mcp import MCPError
from mcp.types.version import KNOWN_PROTOCOL_VERSIONS

from mcpkit.testing import PROTOCOLS, RawServer, check_success, check_tools, connect

if TYPE_CHECKING:
    from support.servers import ServerUnderTest

MODERN = "2026-07-28"
HANDSHAKES = [protocol for protocol in PROTOCOLS if protocol != MODERN]


def started(server: ServerUnderTest) -> RawServer:
    return RawServer(server.command, env=server.environment())


def by_name(tools: list[dict[str, Any]], name: str) -> dict[str, Any]:
    return next(tool for tool in tools if tool["name"] == name)


def test_the_revisions_tested_are_those_the_sdk_knows() -> None:
    assert PROTOCOLS == KNOWN_PROTOCOL_VERSIONS


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_raw_frames_get_the_same_tools_and_results_at_every_revision(
    server: ServerUnderTest, protocol: str
) -> None:
    with started(server) as raw:
        opened = raw.handshake(protocol)
        assert protocol in {opened.get("protocolVersion"), *opened.get("supportedVersions", [])}
        assert opened["capabilities"] == {"tools": {"listChanged": False}}
        tools = raw.result("tools/list")["tools"]
        check_tools(tools, max_bytes=server.max_list_bytes)
        if server.call is not None:
            name, arguments = server.call
            check_success(raw.call(name, arguments), by_name(tools, name))
        code, seconds = raw.close()
    assert code == 0
    assert seconds < 10


@pytest.mark.anyio
@pytest.mark.parametrize("protocol", [None, *PROTOCOLS])
async def test_the_official_client_is_served_at_every_revision(
    server: ServerUnderTest, protocol: str | None
) -> None:
    with anyio.fail_after(60):
        async with connect(server.command, env=server.environment(), protocol=protocol) as client:
            assert client.protocol_version == (protocol or MODERN)
            tools = (await client.list_tools()).tools
            if server.call is not None:
                name, arguments = server.call
                result = await client.call_tool(name, dict(arguments))
                check_success(result, next(tool for tool in tools if tool.name == name))
            with pytest.raises(MCPError) as caught:
                await client.call_tool("no_such_tool", {})
    assert caught.value.error.code == -32602


def test_a_revision_of_the_future_is_answered_with_the_latest_handshake(server: ServerUnderTest) -> None:
    with started(server) as raw:
        assert raw.handshake("2099-01-01")["protocolVersion"] == HANDSHAKES[-1]
        assert raw.result("ping") == {}


def test_the_era_of_a_connection_is_fixed_by_its_first_request(server: ServerUnderTest) -> None:
    with started(server) as raw:
        raw.handshake(MODERN)
        answer = raw.request(
            "initialize", {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {}}
        )
        assert answer["error"]["code"] == -32022
        assert raw.result("tools/list")["tools"]
