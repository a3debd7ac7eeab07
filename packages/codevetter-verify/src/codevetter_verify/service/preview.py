"""Asks a preview who it is: one GET, its redirects followed by our rules, its body bounded."""

from __future__ import annotations

import ssl
from contextlib import AsyncExitStack
from typing import TYPE_CHECKING

import anyio
import httpx

from codevetter_verify import __version__
from codevetter_verify.domain.addresses import Endpoint, kind_of
from codevetter_verify.domain.hosts import host_matches, same_site
from codevetter_verify.domain.preview_url import follow
from codevetter_verify.domain.probe import Probe
from codevetter_verify.domain.revision import HEADERS, statements
from codevetter_verify.errors import HostUnknownError, PreviewUnreachableError, PreviewWallError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from codevetter_verify.domain.addresses import Gate
    from codevetter_verify.domain.preview_url import PreviewUrl

PROBE_S = 20.0
MAX_REDIRECTS = 5
MAX_BODY = 256 * 1024
_NEXT = "start or deploy it, or correct the preview's address, and run again"
_REDIRECTS = frozenset({301, 302, 303, 307, 308})


async def probe_preview(
    preview: PreviewUrl,
    *,
    gate: Gate,
    allowed_hosts: Sequence[str] = (),
    cookies: Sequence[tuple[str, str]] = (),
) -> Probe:
    """Request the preview and return the answer that ends its redirects.

    `cookies` are shown from the start, to the preview's own host only.
    Raises `PreviewUnreachableError`, `PreviewWallError` (another site, https to http) and
    `AddressRefusedError`.
    """
    try:
        with anyio.fail_after(PROBE_S):
            return await _follow(preview, gate, allowed_hosts, dict(cookies))
    except HostUnknownError as exc:
        raise PreviewUnreachableError(f"{exc}; {_NEXT}") from exc
    except TimeoutError as exc:
        raise PreviewUnreachableError(f"the preview did not answer within {PROBE_S:g} s; {_NEXT}") from exc
    except (httpx.HTTPError, ValueError) as exc:
        reason = str(exc) or type(exc).__name__
        raise PreviewUnreachableError(f"{preview.origin} did not answer: {reason}; {_NEXT}") from exc


async def _follow(
    preview: PreviewUrl, gate: Gate, allowed_hosts: Sequence[str], cookies: dict[str, str]
) -> Probe:
    current = preview
    async with AsyncExitStack() as stack:
        clients: dict[str, httpx.AsyncClient] = {}
        for _ in range(MAX_REDIRECTS + 1):
            if current.scheme not in clients:
                clients[current.scheme] = await stack.enter_async_context(_client(current.scheme))
            answer, body = await _get(clients[current.scheme], current, gate, cookies)
            if answer.status_code not in _REDIRECTS or "location" not in answer.headers:
                return _probe(current, answer, body, cookies)
            target = _next(current, answer.headers["location"], preview, allowed_hosts)
            if target.host != current.host:
                cookies.clear()
            current = target
    raise PreviewUnreachableError(f"the preview redirects more than {MAX_REDIRECTS} times")


def _client(scheme: str) -> httpx.AsyncClient:
    """A client for one scheme: to read the machine's certificates takes longer than to ask a preview."""
    trusted = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)  # trusts nobody, which is what http needs
    if scheme == "https":
        trusted = httpx.create_ssl_context()
        trusted.load_default_certs()  # a company's own authority is in the system's store, not in httpx's
    return httpx.AsyncClient(verify=trusted, trust_env=False, follow_redirects=False, timeout=PROBE_S)


async def _get(
    client: httpx.AsyncClient, url: PreviewUrl, gate: Gate, cookies: dict[str, str]
) -> tuple[httpx.Response, bytes]:
    """GET from the address that was checked; the name stays in the Host header and in TLS."""
    address = await gate.admit(Endpoint(url.host, url.port))
    literal = f"[{address}]" if ":" in address else address
    target = f"{url.scheme}://{literal}:{url.port}{url.path}" + (f"?{url.query}" if url.query else "")
    headers = {
        "host": url.authority,
        "accept": "text/html,application/xhtml+xml;q=0.9,*/*;q=0.1",
        "user-agent": f"codevetter-verify/{__version__} (read-only preview probe)",
    }
    if cookies:
        headers["cookie"] = "; ".join(f"{name}={value}" for name, value in cookies.items())
    async with client.stream("GET", target, headers=headers, extensions={"sni_hostname": url.host}) as answer:
        body = await _bounded(answer)
    cookies.update(answer.cookies)  # a protection bypass answers with a cookie and a redirect to itself
    client.cookies.clear()
    return answer, body


async def _bounded(answer: httpx.Response) -> bytes:
    body = bytearray()
    async for chunk in answer.aiter_bytes(16 * 1024):
        body += chunk
        if len(body) >= MAX_BODY:
            break
    return bytes(body[:MAX_BODY])


def _next(
    current: PreviewUrl, location: str, preview: PreviewUrl, allowed_hosts: Sequence[str]
) -> PreviewUrl:
    """Where a redirect may lead: the preview's own site or an allowed host, never from https to http."""
    target = follow(current, location)
    if target is None:
        raise PreviewWallError("the preview redirects to something that is not an http(s) address")
    if not same_site(target.host, preview.host) and not any(
        host_matches(p, target.host) for p in allowed_hosts
    ):
        raise PreviewWallError(f"the preview redirects to another site, {_described(target.host)}")
    if current.scheme == "https" and target.scheme == "http":
        raise PreviewWallError(f"the preview redirects from https to http ({target.host})")
    return target


def _probe(url: PreviewUrl, answer: httpx.Response, body: bytes, cookies: dict[str, str]) -> Probe:
    values = {name: answer.headers.get_list(name) for name in HEADERS if name in answer.headers}
    text = body.decode("utf-8", "replace")
    return Probe(url, answer.status_code, statements(values), text, tuple(cookies.items()))


def _described(host: str) -> str:
    """A host in words: an inner address is more than a sign-in page elsewhere."""
    try:
        kind = kind_of(host)
    except ValueError:
        return f"{host}: a sign-in, perhaps"
    return host if kind == "public" else f"{host}, a {kind.replace('_', '-')} address"
