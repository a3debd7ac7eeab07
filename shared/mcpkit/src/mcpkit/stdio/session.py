"""One connection of one server: the SDK between our reader and our writer, until somebody wants it to end."""

from __future__ import annotations

import asyncio
import gc
import logging
from typing import TYPE_CHECKING, Any, cast

from mcp.server.stdio import stdio_server

from mcpkit.stdio.frames import refusals
from mcpkit.stdio.writer import FrameWriter

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable
    from contextlib import AbstractAsyncContextManager

    from anyio import AsyncFile
    from mcp.server.lowlevel import Server

    from mcpkit.stdio.lifeline import Lifeline
    from mcpkit.stdio.reader import LineReader
    from mcpkit.stdio.wire import Wire

logger = logging.getLogger(__name__)

_HANDLERS_S = 1.2
"""How long cancelled calls may clean up: ending a process tree takes a second. The server comes after."""


async def run(
    open_server: Callable[[], AbstractAsyncContextManager[Server[Any]]],
    *,
    wire: Wire,
    reader: LineReader,
    lifeline: Lifeline,
) -> None:
    """Serve until stdin ends, the client stops reading, or the lifeline says so; then end the process.

    Does not return, except by what `open_server` or the SDK raises.
    """
    stopping = asyncio.Event()
    loop = asyncio.get_running_loop()

    def stop() -> None:
        loop.call_soon_threadsafe(stopping.set)

    async with open_server() as server:
        lifeline.serving(stop)
        gc.freeze()  # what the imports made stays: the collector need not look at it again
        gc.enable()
        writer = FrameWriter(wire.outgoing, on_broken=lifeline.stop)
        connection = asyncio.create_task(_connection(server, _Incoming(reader, writer, lifeline), writer))
        await _first(connection, stopping)
        has_failed = connection.done() and not stopping.is_set()
        await _ended(connection)
    if has_failed:
        connection.result()
    # here, and not after the loop has closed: closing waits for threads that may never end
    lifeline.finish(0)


async def _connection(server: Server[Any], incoming: _Incoming, writer: FrameWriter) -> None:
    # the transport only iterates the one and calls write and flush of the other
    stdin, stdout = cast("AsyncFile[str]", incoming), cast("AsyncFile[str]", writer)
    async with stdio_server(stdin, stdout) as (requests, answers):
        await server.run(requests, answers, server.create_initialization_options())


async def _first(connection: asyncio.Task[None], stopping: asyncio.Event) -> None:
    stopped = asyncio.create_task(stopping.wait())
    await asyncio.wait({connection, stopped}, return_when=asyncio.FIRST_COMPLETED)
    stopped.cancel()


async def _ended(connection: asyncio.Task[None]) -> None:
    """Cancel the connection and its calls; one that sits in a thread is left behind."""
    connection.cancel()
    done, _ = await asyncio.wait({connection}, timeout=_HANDLERS_S)
    # the SDK's tasks may trip over each other when they are cancelled: that is no news for anybody
    for ended in done:
        if not ended.cancelled() and (failure := ended.exception()) is not None:
            logger.debug("the connection did not end well", exc_info=failure)


class _Incoming:
    """The lines for the SDK: those that it can take. The others are answered here."""

    def __init__(self, reader: LineReader, writer: FrameWriter, lifeline: Lifeline) -> None:
        self._reader = reader
        self._writer = writer
        self._lifeline = lifeline

    async def __aiter__(self) -> AsyncIterator[str]:
        async for line in self._reader.lines():
            answers = refusals(line)
            if answers is None:
                yield line.decode("utf-8", "replace")
            for answer in answers or ():
                await self._writer.write(answer)
        # the SDK cancels what is in flight, but waits for threads; we do not
        self._lifeline.stop()
