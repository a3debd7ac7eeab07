"""The few lines of HTTP that the filtering proxy reads: one request head, and who it is for."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlsplit

from codevetter_verify.domain.addresses import Endpoint
from codevetter_verify.domain.preview_url import DEFAULT_PORTS

SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
_HOP_HEADERS = frozenset(
    {"connection", "proxy-connection", "keep-alive", "proxy-authorization", "te", "upgrade"}
)


@dataclass(frozen=True, slots=True)
class ProxyRequest:
    """A request as a browser gives it to its proxy."""

    method: str
    target: str
    headers: tuple[tuple[str, str], ...]

    @property
    def is_tunnel(self) -> bool:
        """Whether the browser asks for a bare connection (it does for https and for WebSockets)."""
        return self.method == "CONNECT"

    def objection(self) -> str | None:
        """Why this request may not leave; None when it may."""
        names = {name.lower(): value for name, value in self.headers}
        if self.method not in SAFE_METHODS:
            return f"{self.method} may change state"
        if names.get("content-length", "0") != "0" or "transfer-encoding" in names:
            return f"{self.method} with a body may change state"
        if "upgrade" in names:
            return f"an upgrade to {names['upgrade'][:40]} is not observed"
        return None

    def forwarded(self) -> bytes:
        """The head to send to the origin: origin form, one request a connection."""
        parts = urlsplit(self.target)
        path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        kept = [f"{name}: {value}" for name, value in self.headers if name.lower() not in _HOP_HEADERS]
        lines = [f"{self.method} {path} HTTP/1.1", *kept, "Connection: close", "", ""]
        return "\r\n".join(lines).encode("latin-1")


def parse_head(head: bytes) -> ProxyRequest | None:
    """Read a request head (without its empty line); None when it is none."""
    first, *rest = head.decode("latin-1").split("\r\n")
    words = first.split(" ")
    if len(words) != 3 or not words[2].startswith("HTTP/1."):  # noqa: PLR2004 - method, target, version
        return None
    pairs = [line.partition(":") for line in rest if line]
    if any(not colon or name != name.strip() for name, colon, _ in pairs):
        return None
    return ProxyRequest(words[0], words[1], tuple((name, value.strip()) for name, _, value in pairs))


def endpoint_of(request: ProxyRequest) -> Endpoint | None:
    """Whom a request is for; None when its target is not understood."""
    text = f"//{request.target}" if request.is_tunnel else request.target
    try:
        parts = urlsplit(text)
        port = parts.port
    except ValueError:
        return None
    port = port or DEFAULT_PORTS.get(parts.scheme)
    if not parts.hostname or port is None or (not request.is_tunnel and parts.scheme != "http"):
        return None
    return Endpoint(parts.hostname.lower().removesuffix("."), port)


def endpoint_of_url(url: str) -> Endpoint:
    """Whom a page's URL is for; an endpoint without a host when it is not understood."""
    try:
        parts = urlsplit(url)
        port = parts.port or DEFAULT_PORTS.get(parts.scheme, 0)
        return Endpoint((parts.hostname or "").removesuffix("."), port)
    except ValueError:
        return Endpoint("", 0)


def refusal(reason: str, *, status: str = "403 Refused by T-Rex") -> bytes:
    """The proxy's own answer; the header is how the observer knows it from one of the page's server."""
    safe = reason.encode("ascii", "replace").decode().replace("\r", " ").replace("\n", " ")[:300]
    lines = [
        f"HTTP/1.1 {status}",
        f"{REFUSED_HEADER}: {safe}",
        "Content-Length: 0",
        "Connection: close",
        "",
        "",
    ]
    return "\r\n".join(lines).encode()


REFUSED_HEADER = "x-codevetter-refused"
