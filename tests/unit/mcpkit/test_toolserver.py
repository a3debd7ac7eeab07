"""Tools known only at start, through the SDK's own client, in process."""

from __future__ import annotations

import base64
from typing import Any

import pytest
from mcp import Client, MCPError
from mcp.types import ImageContent, TextContent

from mcpkit.toolserver import OfferedTool, ToolText, build_tool_server

pytestmark = pytest.mark.anyio
SCHEMA = {"type": "object", "properties": {"n": {"type": "integer"}}, "additionalProperties": False}


async def answer(name: str, arguments: object) -> ToolText:
    if arguments == {"n": 1}:
        raise RuntimeError("secret")
    if arguments == {"n": 2}:
        return ToolText("picture", ("image/png", b"\x89PNG"))
    return ToolText(f"{name} {arguments}", is_error=arguments == {"n": 3})


async def test_tools_answers_images_and_failures_travel_as_they_are() -> None:
    server: Any = build_tool_server(
        name="review", version="1", tools=[OfferedTool("look", "Looks.", SCHEMA)], call=answer
    )
    async with Client(server) as client:
        (tool,) = (await client.list_tools()).tools
        assert (tool.name, tool.description, tool.input_schema) == ("look", "Looks.", SCHEMA)
        plain = await client.call_tool("look", {})
        assert plain.content == [TextContent(type="text", text="look {}")]
        assert not plain.is_error
        assert (await client.call_tool("look", {"n": 3})).is_error
        pictured = (await client.call_tool("look", {"n": 2})).content[1]
        assert isinstance(pictured, ImageContent)
        assert (pictured.mime_type, base64.b64decode(pictured.data)) == ("image/png", b"\x89PNG")
        broken = await client.call_tool("look", {"n": 1})
        assert broken.is_error
        assert "secret" not in str(broken.content)
        with pytest.raises(MCPError, match="Unknown tool"):
            await client.call_tool("wipe", {})
