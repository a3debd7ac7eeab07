"""The official SDK's client over a server's command, at any protocol revision."""

from __future__ import annotations

import os
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import anyio
from mcp import Client, StdioServerParameters, stdio_client
from mcp.shared.message import SessionMessage
from mcp.types import JSONRPCRequest

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Mapping, Sequence
    from pathlib import Path

_MODERN = "2026-07-28"


@asynccontextmanager
async def connect(
    command: Sequence[str],
    *,
    env: Mapping[str, str] | None = None,
    cwd: Path | None = None,
    protocol: str | None = None,
) -> AsyncIterator[Client]:
    """An initialized client of `command`; `env` is the server's whole environment, by default ours.

    `protocol` is the revision that the client asks for; without it, what the client does by itself.
    """
    parameters = StdioServerParameters(
        command=command[0], args=list(command[1:]), env=dict(os.environ if env is None else env), cwd=cwd
    )
    if protocol is None or protocol == _MODERN:
        async with Client(parameters, mode=protocol or "auto") as client:
            yield client
    else:
        transport: Any = _offering(parameters, protocol)
        async with Client(transport, mode="legacy") as client:
            yield client


@asynccontextmanager
async def _offering(parameters: StdioServerParameters, protocol: str) -> AsyncIterator[tuple[Any, Any]]:
    """A transport on which the client's `initialize` asks for `protocol`, as an older client's does."""
    send, receive = anyio.create_memory_object_stream[SessionMessage](0)

    async def forward(write: Any) -> None:  # noqa: ANN401 - the SDK's stream
        async with receive, write:
            async for message in receive:
                await write.send(_asking_for(protocol, message))

    async with stdio_client(parameters) as (read, write), anyio.create_task_group() as tasks:
        tasks.start_soon(forward, write)
        yield read, send
        send.close()


def _asking_for(protocol: str, message: SessionMessage) -> SessionMessage:
    request = message.message
    if not isinstance(request, JSONRPCRequest) or request.method != "initialize":
        return message
    params = {**(request.params or {}), "protocolVersion": protocol}
    return SessionMessage(message=request.model_copy(update={"params": params}))
