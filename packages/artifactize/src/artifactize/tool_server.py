"""The MCP server of one eval's toolbox."""

from __future__ import annotations

from contextlib import asynccontextmanager
from importlib.metadata import version
from typing import TYPE_CHECKING, Any, cast

from artifactize.errors import ToolRefusedError
from artifactize.toolbox.handing_over import HandOverError, taken_over
from mcpkit.toolserver import OfferedTool, ToolText, build_tool_server

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Mapping
    from pathlib import Path

    from mcp.server.lowlevel import Server

    from artifactize.domain.declarations import Json
    from artifactize.toolbox.toolbox import EvalToolbox

SERVER_NAME = "artifactize-tools"


@asynccontextmanager
async def open_tool_server(file: Path) -> AsyncIterator[Server[Any]]:
    """Give the server of the toolbox that a file holds. Raises ToolRefusedError."""
    try:
        toolbox = taken_over(file)
    except HandOverError as failure:
        raise ToolRefusedError(str(failure)) from failure
    yield tool_server(toolbox)


def tool_server(toolbox: EvalToolbox) -> Server[Any]:
    """Return a server that offers a toolbox's tools."""

    async def call(name: str, arguments: object) -> ToolText:
        # what is no object is refused by the toolbox, and recorded
        answer = await toolbox.call(name, cast("Mapping[str, Json]", arguments))
        image = None if answer.image is None else (answer.image.media_type, answer.image.data)
        return ToolText(answer.text, image, is_error=answer.error is not None)

    tools = [OfferedTool(each.name, each.description, each.input_schema) for each in toolbox.specs]
    return build_tool_server(
        name=SERVER_NAME,
        version=version("artifactize"),
        tools=tools,
        call=call,
        instructions="Reads what this review covers. Start with help or list.",
    )
