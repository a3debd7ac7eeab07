"""The floor of a server's start: the official SDK on stdio with a ready list of tools, and nothing of ours.

Usage: python bare_server.py TOOLS.json     (the `tools` array of a real server's `tools/list`)
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import anyio
from mcp import types
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server


async def serve(tools: list[types.Tool]) -> None:
    """Answer `tools/list` with `tools` and every call with an empty object."""

    async def list_tools(_context: Any, _params: Any) -> types.ListToolsResult:  # noqa: ANN401 - the SDK's own
        return types.ListToolsResult(tools=tools)

    async def call_tool(_context: Any, _params: Any) -> types.CallToolResult:  # noqa: ANN401 - the SDK's own
        return types.CallToolResult(
            content=[types.TextContent(type="text", text="{}")], structured_content={}
        )

    server = Server("bare", version="0", on_list_tools=list_tools, on_call_tool=call_tool)
    async with stdio_server() as (read, write):
        await server.run(read, write, server.create_initialization_options())


if __name__ == "__main__":
    listed = types.ListToolsResult.model_validate_json(Path(sys.argv[1]).read_bytes())
    anyio.run(serve, listed.tools)
