"""The browser's only way out: a loopback proxy that decides by method and by resolved address.

A second layer below `interception`: what escapes the browser's own decisions does not get past it. Inside TLS
it sees addresses and whether a connection is for a WebSocket.
"""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import anyio
from anyio.abc import SocketAttribute
from anyio.streams.buffered import BufferedByteReceiveStream

from codevetter_verify.browser import tls, wire
from codevetter_verify.errors import AddressRefusedError, HostUnknownError

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from anyio.abc import ByteReceiveStream, ByteSendStream, SocketStream

    from codevetter_verify.domain.addresses import Endpoint, Gate

MAX_HEAD = 64 * 1024
CONNECT_TIMEOUT_S = 10.0
_GONE = (
    OSError,
    anyio.BrokenResourceError,
    anyio.ClosedResourceError,
    anyio.EndOfStream,
    anyio.IncompleteRead,
)


@asynccontextmanager
async def filtering_proxy(gate: Gate) -> AsyncIterator[int]:
    """Serve on a free loopback port, which is yielded, until the block ends."""
    listener = await anyio.create_tcp_listener(local_host="127.0.0.1")
    port = int(listener.extra(SocketAttribute.local_port))  # noqa: S610 - a socket, not a Django query

    async def handle(client: SocketStream) -> None:
        async with client:
            try:
                await _converse(client, gate)
            except (*_GONE, anyio.DelimiterNotFound, TimeoutError):
                return

    async with listener, anyio.create_task_group() as tasks:
        tasks.start_soon(listener.serve, handle)
        yield port
        tasks.cancel_scope.cancel()


async def _converse(client: SocketStream, gate: Gate) -> None:
    incoming = BufferedByteReceiveStream(client)
    request = wire.parse_head(await incoming.receive_until(b"\r\n\r\n", MAX_HEAD))
    endpoint = wire.endpoint_of(request) if request else None
    if request is None or endpoint is None:
        await client.send(wire.refusal("a request that is not understood", status="400 Bad Request"))
        return
    objection = None if request.is_tunnel else request.objection()
    if objection is not None:
        await client.send(wire.refusal(objection))
        return
    server = await _connect(client, gate, endpoint)
    if server is None:
        return
    async with server:
        if request.is_tunnel:
            await _tunnel(client, incoming, server)
        else:
            await server.send(request.forwarded())
            await _copy(server, client)


async def _connect(client: SocketStream, gate: Gate, endpoint: Endpoint) -> SocketStream | None:
    """Open the connection to the address that was checked, or tell the browser why there is none."""
    try:
        address = await gate.admit(endpoint)
        with anyio.fail_after(CONNECT_TIMEOUT_S):
            return await anyio.connect_tcp(address, endpoint.port)
    except AddressRefusedError as exc:
        await client.send(wire.refusal(str(exc)))
    except (HostUnknownError, OSError, TimeoutError):
        # the connection just ends: the browser reports a failed request, as it would without a proxy
        await client.aclose()
    return None


async def _tunnel(client: SocketStream, incoming: BufferedByteReceiveStream, server: SocketStream) -> None:
    """Join both ends once the browser begins TLS to send requests.

    A WebSocket comes this way too, in the clear or within TLS, and is refused.
    """
    await client.send(b"HTTP/1.1 200 Connection established\r\n\r\n")
    opening = await _opening(incoming)
    if opening is None:
        return
    await server.send(opening)
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(_copy, incoming, server)
        await _copy(server, client)
        tasks.cancel_scope.cancel()


async def _opening(incoming: BufferedByteReceiveStream) -> bytes | None:
    """The first record of a TLS connection that is no WebSocket's; None when it is something else."""
    head = await incoming.receive_exactly(tls.RECORD_HEAD)
    length = tls.record_length(head)
    if length is None:
        return None
    body = await incoming.receive_exactly(length)
    hello = tls.parse_hello(body)
    return None if hello is None or hello.is_web_socket else head + body


async def _copy(source: ByteReceiveStream, sink: ByteSendStream) -> None:
    try:
        async for chunk in source:
            await sink.send(chunk)
    except _GONE:
        return
