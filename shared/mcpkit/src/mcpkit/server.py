"""Operations as the tools of one MCP server, on the official SDK's low-level `Server`.

The low-level one, because it publishes exactly the schemas given to it, leaves arguments alone (the
high-level one drops unknown ones silently) and lets us word every failure. A failure is an answer
(`isError`, the envelope as JSON text, no `structuredContent`, which clients would hold against the output
schema); only an unknown tool is a protocol error.
"""

from __future__ import annotations

import json
import logging
import secrets
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import anyio
import anyio.to_thread
from mcp import MCPError
from mcp.server.lowlevel import Server
from mcp.types import (
    INVALID_PARAMS,
    CallToolRequestParams,
    CallToolResult,
    ListToolsResult,
    PaginatedRequestParams,
    TextContent,
)

from mcpkit.canonical import compact_json, plain
from mcpkit.errors import InvalidArgumentsError, ToolError
from mcpkit.progress import Listener, listening
from mcpkit.text import escape_untrusted

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable

    from mcp.server.context import CallNext, HandlerResult, ServerRequestContext
    from pydantic import JsonValue

    from mcpkit.envelope import Body, Envelope
    from mcpkit.listing import Listing
    from mcpkit.operation import Operation

logger = logging.getLogger(__name__)

MAX_RESULT_BYTES = 64 * 1024
"""What a result may take on the wire, its frame included. Hosts cut or drop more."""

_FRAME_RESERVE = 2 * 1024
"""For the JSON-RPC frame around a result: the id, `_meta` with the server's name and title."""

_MAX_PROGRESS_MESSAGE = 32 * 1024
_NOT_AN_OBJECT = "\0arguments"
"""Under this name travel arguments that are no object from the border to `Operation.parse`."""


def build_server(
    *,
    name: str,
    version: str,
    listing: Listing,
    operations: Callable[[], Iterable[Operation]],
    envelope: Envelope,
    title: str | None = None,
    instructions: str | None = None,
) -> Server[Any]:
    """A server that offers the tools of `listing`, and nothing beside tools.

    `operations` opens them: called in a worker thread when a tool is called for the first time, so import
    what is heavy inside of it. What it raises is the answer to that call.
    """
    tools = _Tools(listing, operations, envelope)
    server: Server[Any] = Server(
        name,
        version=version,
        title=title,
        instructions=instructions,
        on_list_tools=tools.list,
        on_call_tool=tools.call,
    )
    server.middleware.append(_take_any_arguments)
    return server


class _Tools:
    """The two handlers of a server: the list it was given, operations that are opened when one is called."""

    def __init__(
        self, listing: Listing, operations: Callable[[], Iterable[Operation]], envelope: Envelope
    ) -> None:
        self._listing = listing
        self._open = operations
        self._envelope = envelope
        self._opening = anyio.Lock()
        self._operations: dict[str, Operation] | None = None

    async def list(
        self, _ctx: ServerRequestContext[Any], _params: PaginatedRequestParams | None
    ) -> ListToolsResult:
        return self._listed

    @cached_property
    def _listed(self) -> ListToolsResult:
        return ListToolsResult.model_validate({"tools": self._listing.tools})

    async def call(self, ctx: ServerRequestContext[Any], params: CallToolRequestParams) -> CallToolResult:
        if params.name not in self._listing.names:
            asked = escape_untrusted(params.name[:100])
            known = ", ".join(self._listing.names)
            raise MCPError(INVALID_PARAMS, f"Unknown tool: {asked} (tools: {known})")
        with listening(_increasing(ctx.session.report_progress)):
            return await self._answer(params.name, _arguments(params.arguments))

    async def _answer(self, name: str, arguments: object) -> CallToolResult:
        """The result of a call, whatever happens in it; only cancellation passes through."""
        try:
            operation = (await self._opened())[name]
            structured = plain(await operation.call(arguments))
            return _success(operation, structured)
        except (Exception, SystemExit) as exc:  # noqa: BLE001 - the edge; sys.exit() in a tool ends no server
            return _failure(self._failure_body(name, exc))

    async def _opened(self) -> dict[str, Operation]:
        """The operations by name; when opening fails, the next call tries again."""
        if self._operations is None:
            async with self._opening:
                if self._operations is None:  # somebody else may have been first
                    # in a thread: half a second of imports must not keep the client's pings waiting
                    self._operations = _by_name(await anyio.to_thread.run_sync(self._open))
        return self._operations

    def _failure_body(self, name: str, failure: BaseException) -> Body:
        error = _deliberate(failure)
        if error is None:
            return self._internal_body(name, failure)
        try:
            return self._envelope.body(error)
        except Exception as exc:  # noqa: BLE001 - an undeclared class is a defect, told as one
            return self._internal_body(name, exc)

    def _internal_body(self, name: str, failure: BaseException) -> Body:
        error_id = secrets.token_hex(4)
        logger.error("internal error %s in %s", error_id, name, exc_info=failure)
        return self._envelope.internal(error_id)


def _success(operation: Operation, structured: JsonValue) -> CallToolResult:
    text = compact_json(structured)
    size = len(text.encode()) + len(json.dumps(text, ensure_ascii=False).encode())
    if size > MAX_RESULT_BYTES - _FRAME_RESERVE:
        raise _too_large(operation, size)
    return CallToolResult(content=[TextContent(type="text", text=text)], structured_content=structured)


def _by_name(operations: Iterable[Operation]) -> dict[str, Operation]:
    return {operation.name: operation for operation in operations}


def _failure(body: Body) -> CallToolResult:
    return CallToolResult(content=[TextContent(type="text", text=compact_json(body))], is_error=True)


def _deliberate(failure: BaseException) -> ToolError | None:
    """The ToolError that `failure` is, or that the task groups around it have wrapped; None for a defect."""
    while isinstance(failure, BaseExceptionGroup) and len(failure.exceptions) == 1:
        failure = failure.exceptions[0]
    return failure if isinstance(failure, ToolError) else None


def _too_large(operation: Operation, size: int) -> Exception:
    """The failure to answer with instead of a result that a host would cut."""
    properties = operation.input_schema()["properties"]
    narrowing = [name for name in ("cursor", "limit") if name in properties]
    limit = MAX_RESULT_BYTES - _FRAME_RESERVE
    if not narrowing:
        return ValueError(
            f"{operation.name} gave {size} bytes, over the {limit} of a result, and has no pages"
        )
    pages = " and ".join(f"`{name}`" for name in narrowing)
    return InvalidArgumentsError(
        f"the result would take {size} bytes on the wire, more than the {limit} that hosts take",
        hint=f"ask for less: use {pages} to page",
    )


def _increasing(send: Callable[[float, float | None, str | None], Awaitable[None]]) -> Listener:
    """`send`, for strictly increasing amounts, as the protocol asks; the SDK drops all without a token."""
    last = float("-inf")

    async def listener(done: float, total: float | None, message: str) -> None:
        nonlocal last
        if not done > last:
            return
        last = done
        await send(done, total, _progress_message(message))

    return listener


def _progress_message(message: str) -> str | None:
    safe = escape_untrusted(message)
    size = len(safe.encode())
    if size > _MAX_PROGRESS_MESSAGE:
        return f"(a message of {size} bytes was left out)"
    return safe or None


def _arguments(given: dict[str, Any] | None) -> object:
    return given[_NOT_AN_OBJECT] if given and _NOT_AN_OBJECT in given else given


async def _take_any_arguments(ctx: ServerRequestContext[Any], call_next: CallNext) -> HandlerResult:
    """Let arguments that are no object through to the tool, whose answer the model sees."""
    params = ctx.params
    if ctx.method == "tools/call" and isinstance(params, dict):
        arguments = params.get("arguments")
        if arguments is not None and not isinstance(arguments, dict):
            ctx = replace(ctx, params={**params, "arguments": {_NOT_AN_OBJECT: arguments}})
    return await call_next(ctx)
