"""The browser's only way out, seen from a socket: what gets through and what does not."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

import anyio
import pytest
from anyio.abc import SocketAttribute, SocketStream

from codevetter_verify.browser.proxy import filtering_proxy
from codevetter_verify.browser.wire import REFUSED_HEADER
from codevetter_verify.domain.preview_url import parse_preview_url
from codevetter_verify.service.network import HostGate
from support.hello import client_hello
from support.preview_site import PreviewSite

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.anyio


@pytest.fixture
def site() -> Iterator[PreviewSite]:
    with PreviewSite() as running:
        yield running


async def through_proxy(site: PreviewSite, request: str, *, then: bytes = b"") -> bytes:
    """Everything that the proxy answers to `request`, sent as a browser would."""
    gate = HostGate(parse_preview_url(site.url))
    with anyio.fail_after(10):
        async with filtering_proxy(gate) as port, await anyio.connect_tcp("127.0.0.1", port) as stream:
            await stream.send(request.replace("\n", "\r\n").encode())
            if then:
                await stream.receive()
                await stream.send(then)
            answer = b""
            try:
                while True:
                    answer += await stream.receive()
            except (anyio.EndOfStream, anyio.BrokenResourceError):
                return answer


async def test_a_get_reaches_the_preview(site: PreviewSite) -> None:
    answer = await through_proxy(site, f"GET {site.url}about HTTP/1.1\nHost: {site.host}:{site.port}\n\n")
    assert answer.startswith(b"HTTP/1.1 200")
    assert b"Who makes the widget" in answer
    assert site.paths() == ["/about"]


@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE"])
async def test_a_writing_method_does_not(site: PreviewSite, method: str) -> None:
    answer = await through_proxy(site, f"{method} {site.url} HTTP/1.1\nHost: x\nContent-Length: 0\n\n")
    assert answer.startswith(b"HTTP/1.1 403")
    assert REFUSED_HEADER.encode() in answer
    assert site.log == []


async def test_another_port_of_this_machine_is_refused_before_a_connection(site: PreviewSite) -> None:
    with PreviewSite() as inside:
        answer = await through_proxy(site, f"GET {inside.url} HTTP/1.1\nHost: x\n\n")
        assert inside.log == []
    assert b"loopback address" in answer


async def test_metadata_is_refused(site: PreviewSite) -> None:
    answer = await through_proxy(site, "GET http://169.254.169.254/latest/ HTTP/1.1\nHost: x\n\n")
    assert b"link-local address" in answer


async def test_a_tunnel_carries_tls_only(site: PreviewSite) -> None:
    """A WebSocket in the clear would come as CONNECT too."""
    connect = f"CONNECT {site.host}:{site.port} HTTP/1.1\nHost: x\n\n"
    plain = b"GET /ws HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\n\r\n"
    assert await through_proxy(site, connect, then=plain) == b""
    assert site.log == []


async def test_nonsense_is_answered_and_ends(site: PreviewSite) -> None:
    assert (await through_proxy(site, "nonsense\n\n")).startswith(b"HTTP/1.1 400")


async def tunnelled(hello: bytes) -> bytes:
    """What a server sees of a TLS connection that begins with `hello`: it answers with what it got."""

    async def echo(stream: SocketStream) -> None:
        async with stream:
            with suppress(anyio.EndOfStream):
                await stream.send(await stream.receive())

    listener = await anyio.create_tcp_listener(local_host="127.0.0.1")
    port = listener.extra(SocketAttribute.local_port)
    gate = HostGate(parse_preview_url(f"https://127.0.0.1:{port}/"))
    answer = b""
    with anyio.fail_after(30):
        async with listener, anyio.create_task_group() as tasks, filtering_proxy(gate) as proxy:
            tasks.start_soon(listener.serve, echo)
            async with await anyio.connect_tcp("127.0.0.1", proxy) as stream:
                await stream.send(f"CONNECT 127.0.0.1:{port} HTTP/1.1\r\n\r\n".encode())
                assert (await stream.receive()).startswith(b"HTTP/1.1 200")
                for half in (hello[:9], hello[9:]):
                    await stream.send(half)
                with suppress(anyio.EndOfStream, anyio.BrokenResourceError):
                    while len(answer) < len(hello):
                        answer += await stream.receive()
            tasks.cancel_scope.cancel()
    return answer


async def test_tls_passes_untouched_to_the_address_that_was_checked() -> None:
    hello = client_hello("h2", "http/1.1")
    assert await tunnelled(hello) == hello


async def test_a_secure_web_socket_is_refused() -> None:
    """Its connection offers HTTP/1.1 only, for the upgrade; that of a page never does."""
    assert await tunnelled(client_hello("http/1.1")) == b""
