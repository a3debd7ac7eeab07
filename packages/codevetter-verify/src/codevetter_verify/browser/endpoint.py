"""A browser on another machine (or in a container): which, and in what protocol."""

from __future__ import annotations

import ipaddress
import os
from dataclasses import dataclass, field
from typing import Literal
from urllib.parse import urlsplit

from codevetter_verify.errors import BrowserFailedError

ENV_VAR = "CODEVETTER_BROWSER_ENDPOINT"
_FORMS = (
    "ws://HOST:PORT/PATH of a Playwright server, or the CDP address of a Chromium (http://HOST:PORT, "
    "ws://HOST:PORT/devtools/browser/ID); cdp+ws:// and playwright+ws:// say which where the address does not"
)
Protocol = Literal["playwright", "cdp"]


@dataclass(frozen=True, slots=True)
class BrowserEndpoint:
    """Where a browser server listens. `url` may hold a token and is never shown."""

    protocol: Protocol
    url: str = field(repr=False)
    host: str = ""

    @property
    def is_here(self) -> bool:
        """Whether the browser runs on this machine, where our proxy can be its way out."""
        if self.host == "localhost":
            return True
        try:
            return ipaddress.ip_address(self.host).is_loopback
        except ValueError:
            return False


def configured_endpoint() -> BrowserEndpoint | None:
    """The endpoint of CODEVETTER_BROWSER_ENDPOINT; raises `BrowserFailedError` when it is none."""
    named = os.environ.get(ENV_VAR)
    return parse_endpoint(named) if named else None


def parse_endpoint(text: str) -> BrowserEndpoint:
    """Read an endpoint; raises `BrowserFailedError`, which does not repeat it, since it may hold a token."""
    prefix, plus, rest = text.partition("+")
    forced: Protocol | None = None
    if plus and prefix in ("cdp", "playwright"):
        forced, text = ("cdp" if prefix == "cdp" else "playwright"), rest
    try:
        parts = urlsplit(text)
        host = parts.hostname or ""
    except ValueError:
        parts, host = urlsplit(""), ""
    if not host or parts.scheme not in ("ws", "wss", "http", "https"):
        raise BrowserFailedError(f"{ENV_VAR} is no address of a browser; give {_FORMS}")
    return BrowserEndpoint(forced or _guess(parts.scheme, parts.path), text, host)


def _guess(scheme: str, path: str) -> Protocol:
    """Playwright servers speak on any ws path; CDP's are known (Chromium's own, Selenium Grid's)."""
    is_cdp = scheme.startswith("http") or path.startswith("/devtools/") or path.endswith("/se/cdp")
    return "cdp" if is_cdp else "playwright"
