"""Which network addresses a visit may open. A preview must not be a way into the machine or its network."""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass
from typing import Literal, Protocol

Kind = Literal["public", "loopback", "private", "link_local", "reserved"]
Address = ipaddress.IPv4Address | ipaddress.IPv6Address

_METADATA = frozenset(
    map(
        ipaddress.ip_address,
        # AWS, Alibaba, Oracle, and Azure's wire server, which lies among public addresses
        ("fd00:ec2::254", "100.100.100.200", "192.0.0.192", "168.63.129.16"),
    )
)
_NAT64 = ipaddress.ip_network("64:ff9b::/96")
_NAT64_LOCAL = ipaddress.ip_network("64:ff9b:1::/48")
"""RFC 8215: leads to whatever IPv4 network a site translates to."""


def kind_of(address: str) -> Kind:
    """What sort of address `address` (an IP literal) is.

    Addresses that carry an IPv4 one are judged by that.
    """
    ip = _carried(ipaddress.ip_address(address))
    if ip in _METADATA or ip.is_link_local:  # cloud metadata lives at 169.254.169.254 and friends
        return "link_local"
    if ip in _NAT64_LOCAL:
        return "private"
    if ip.is_loopback:
        return "loopback"
    if ip.is_unspecified or ip.is_multicast or ip.is_reserved:
        return "reserved"
    return "public" if ip.is_global else "private"


def _carried(ip: Address) -> Address:
    """The IPv4 address inside a mapped, 6to4 or NAT64 one."""
    if isinstance(ip, ipaddress.IPv4Address):
        return ip
    if ip.ipv4_mapped is not None:
        return ip.ipv4_mapped
    if ip.sixtofour is not None:
        return ip.sixtofour
    if ip in _NAT64:
        return ipaddress.IPv4Address(int(ip) & 0xFFFFFFFF)
    return ip


@dataclass(frozen=True, slots=True)
class Endpoint:
    """A host and port as named in a request."""

    host: str
    port: int


@dataclass(frozen=True, slots=True)
class AddressPolicy:
    """Decides by resolved address.

    `preview` and `preview_kind` are what the caller pointed at. The preview's own host and port may be of any
    kind but link-local (where cloud metadata lives); everything else must be public, redirects included.
    """

    preview: Endpoint
    preview_kind: Kind

    def refusal(self, endpoint: Endpoint, kind: Kind) -> str | None:
        """Why a connection to `endpoint`, which resolved to an address of `kind`, is refused.

        None when it is not.
        """
        if kind == "public":
            return None
        if endpoint == self.preview and kind == self.preview_kind and kind not in ("link_local", "reserved"):
            return None
        return f"{endpoint.host} is a {kind.replace('_', '-')} address"


class Gate(Protocol):
    """The one way to an address: resolves a host once per run, judges it, remembers what it refused."""

    async def admit(self, endpoint: Endpoint) -> str:
        """Return the IP address to connect to; raise `AddressRefusedError` or `HostUnknownError`."""
        ...

    def refusal(self, endpoint: Endpoint) -> str | None:
        """Why `endpoint` was refused earlier in this run, None when it was not."""
        ...
