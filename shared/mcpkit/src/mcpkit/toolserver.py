"""A server of tools that are known only when it starts, with answers of text and images for a model to read.

`mcpkit.server` publishes operations: fixed models, structured results. This one publishes whatever tools a
caller lists, such as those of one review, and passes their answers on as they are.
"""

from __future__ import annotations

import base64
import logging
import secrets
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from mcp import MCPError
from mcp.server.lowlevel import Server
from mcp.types import (
    INVALID_PARAMS,
    CallToolRequestParams,
    CallToolResult,
    ImageContent,
    ListToolsResult,
    PaginatedRequestParams,
    TextContent,
    Tool,
    ToolAnnotations,
)

from mcpkit.text import escape_untrusted

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping, Sequence

    from mcp.server.context import ServerRequestContext

logger = logging.getLogger(__name__)

_READS = ToolAnnotations(
    read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False
)


@dataclass(frozen=True, slots=True)
class OfferedTool:
    """A tool that only reads. `input_schema` is the JSON Schema of one object."""

    name: str
    description: str
    input_schema: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ToolText:
    """What a call gave: a text, perhaps an image (media type, bytes), and whether it is a failure."""

    text: str
    image: tuple[str, bytes] | None = None
    is_error: bool = False


def build_tool_server(
    *,
    name: str,
    version: str,
    tools: Sequence[OfferedTool],
    call: Callable[[str, object], Awaitable[ToolText]],
    instructions: str | None = None,
) -> Server[Any]:
    """A server that offers `tools` and answers with `call(name, arguments)`, which checks the arguments."""
    listed = ListToolsResult(
        tools=[
            Tool(
                name=each.name,
                description=each.description,
                input_schema=dict(each.input_schema),
                annotations=_READS,
            )
            for each in tools
        ]
    )
    names = [each.name for each in tools]

    async def on_list(
        _ctx: ServerRequestContext[Any], _params: PaginatedRequestParams | None
    ) -> ListToolsResult:
        return listed

    async def on_call(_ctx: ServerRequestContext[Any], params: CallToolRequestParams) -> CallToolResult:
        if params.name not in names:
            asked = escape_untrusted(params.name[:100])
            raise MCPError(INVALID_PARAMS, f"Unknown tool: {asked} (tools: {', '.join(names)})")
        return _result(await _answer(params.name, params.arguments))

    async def _answer(tool: str, arguments: object) -> ToolText:
        try:
            return await call(tool, {} if arguments is None else arguments)
        except (Exception, SystemExit):
            # the edge: a defect is told, and ends no server
            error_id = secrets.token_hex(4)
            logger.exception("internal error %s in %s", error_id, tool)
            return ToolText(f"internal error {error_id}; the log of the server says more", is_error=True)

    return Server(
        name, version=version, instructions=instructions, on_list_tools=on_list, on_call_tool=on_call
    )


def _result(answer: ToolText) -> CallToolResult:
    content: list[TextContent | ImageContent] = [TextContent(type="text", text=answer.text)]
    if answer.image is not None:
        media_type, data = answer.image
        encoded = base64.b64encode(data).decode("ascii")
        content.append(ImageContent(type="image", mime_type=media_type, data=encoded))
    return CallToolResult(content=list(content), is_error=answer.is_error)
