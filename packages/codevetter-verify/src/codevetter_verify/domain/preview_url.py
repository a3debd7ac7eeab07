"""The preview's address: what is accepted, and how routes are joined to it."""

from __future__ import annotations

import ipaddress
import re
from dataclasses import dataclass, replace
from urllib.parse import quote, urljoin, urlsplit

from codevetter_verify.errors import InvalidInputError

MAX_URL = 2048
DEFAULT_PORTS = {"http": 80, "https": 443}
_EXAMPLE = "for example https://widget-pr-42.example.com"
_LABEL = re.compile(r"[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?")
_FORBIDDEN = re.compile(r"[\x00-\x20\x7f-\x9f\\\u2028\u2029]")
_PATH_SAFE = "/:@!$&'()*+,;=~-._%"


@dataclass(frozen=True, slots=True)
class PreviewUrl:
    """An http(s) address without credentials and without fragment; `query` may hold a protection bypass."""

    scheme: str
    host: str
    port: int
    path: str = "/"
    query: str = ""

    @property
    def authority(self) -> str:
        """Host and port as in a URL, the scheme's own port left out."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == DEFAULT_PORTS[self.scheme] else f"{host}:{self.port}"

    @property
    def origin(self) -> str:
        """Scheme, host and port: what a browser calls an origin."""
        return f"{self.scheme}://{self.authority}"

    @property
    def address(self) -> str:
        """The whole address, bypass included: for the preview itself only."""
        return f"{self.origin}{self.path}" + (f"?{self.query}" if self.query else "")

    def for_route(self, route: str) -> PreviewUrl:
        """The address of `route` below this preview's own path, without its query.

        A bypass is spent on the preview's own address; what the preview gives for it is a cookie.
        """
        base = self.path.rstrip("/")
        joined = base + route if route != "/" else self.path
        return replace(self, path=joined or "/", query="")

    def bare(self) -> PreviewUrl:
        """The same address without its query."""
        return replace(self, query="")

    def same_origin(self, other: PreviewUrl) -> bool:
        """Whether both have the same scheme, host and port."""
        return self.origin == other.origin


def parse_preview_url(text: str) -> PreviewUrl:
    """Read the preview's address as a user or an agent gave it.

    Raise `InvalidInputError` naming the broken rule.
    """
    if len(text) > MAX_URL:
        raise _refused(f"is longer than {MAX_URL} characters")
    if _FORBIDDEN.search(text):
        raise _refused("holds white space, a control character or a backslash")
    return _parse(text)


def follow(current: PreviewUrl, location: str) -> PreviewUrl | None:
    """Where a redirect from `current` to `location` leads; None when that is no http(s) address we may visit.

    The query of `current` never travels along: a redirect has only what its own `Location` says.
    """
    if not location or len(location) > MAX_URL or _FORBIDDEN.search(location):
        return None
    try:
        return _parse(urljoin(current.bare().address, location))
    except (InvalidInputError, ValueError):
        return None


def _parse(text: str) -> PreviewUrl:
    try:
        parts = urlsplit(text)
        port = parts.port
    except ValueError as exc:
        raise _refused(f"is no address: {exc}") from exc
    if parts.scheme not in DEFAULT_PORTS:
        raise _refused("must begin with http:// or https://")
    if "@" in parts.netloc:
        raise _refused("holds a user name or password; T-Rex visits without credentials")
    host = _host(parts.hostname or "")
    if port == 0:
        raise _refused("names port 0")
    return PreviewUrl(
        scheme=parts.scheme,
        host=host,
        port=port or DEFAULT_PORTS[parts.scheme],
        path=quote(parts.path, safe=_PATH_SAFE) or "/",
        query=quote(parts.query, safe=_PATH_SAFE + "?"),
    )


def _host(name: str) -> str:
    """A host in the one spelling that every resolver reads alike."""
    if not name:
        raise _refused("has no host")
    if ":" in name:
        return _ip_literal(name)
    ascii_name = _idna(name.removesuffix(".")).lower()
    labels = ascii_name.split(".")
    if labels[-1].isdigit() or re.fullmatch(r"0x[0-9a-f]*", labels[-1]):
        return _ip_literal(ascii_name)
    if len(ascii_name) > 253 or not all(_LABEL.fullmatch(label) for label in labels):  # noqa: PLR2004 - RFC 1035
        raise _refused(f"has an invalid host name {name[:80]!r}")
    return ascii_name


def _ip_literal(text: str) -> str:
    """Only the plain spelling: browsers and resolvers disagree about `127.1`, `0x7f000001` and zone ids."""
    try:
        address = ipaddress.ip_address(text)
    except ValueError as exc:
        raise _refused(f"has an unusual spelling of an IP address {text[:80]!r}") from exc
    if isinstance(address, ipaddress.IPv6Address) and address.scope_id:
        raise _refused("names an IPv6 zone")
    return str(address)


def _idna(name: str) -> str:
    if name.isascii():
        return name
    try:
        return name.encode("idna").decode("ascii")
    except UnicodeError as exc:
        raise _refused(f"has an invalid host name {name[:80]!r}") from exc


def _refused(rule: str) -> InvalidInputError:
    return InvalidInputError(f"preview_url {rule} ({_EXAMPLE})", field="preview_url")
