"""Resolves each host once per run and lets only permitted addresses through.

The address that was checked is the address that is used.
"""

from __future__ import annotations

import socket
from typing import TYPE_CHECKING

import anyio

from codevetter_verify.domain.addresses import AddressPolicy, Endpoint, kind_of
from codevetter_verify.errors import AddressRefusedError, HostUnknownError

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from codevetter_verify.domain.preview_url import PreviewUrl

RESOLVE_TIMEOUT_S = 10.0
CONNECT_TIMEOUT_S = 3.0
_MAX_HOSTS = 500


async def resolve(host: str, port: int) -> list[str]:
    """The addresses of `host`, in the system's order; raises `HostUnknownError`."""
    try:
        with anyio.fail_after(RESOLVE_TIMEOUT_S):
            found = await anyio.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError, TimeoutError) as exc:
        raise HostUnknownError(f"{host} has no address: {_reason(exc)}") from exc
    addresses = list(dict.fromkeys(str(entry[4][0]) for entry in found))
    if not addresses:
        raise HostUnknownError(f"{host} has no address")
    return addresses


def _reason(exc: Exception) -> str:
    if isinstance(exc, TimeoutError):
        return f"no answer within {RESOLVE_TIMEOUT_S:g} s"
    return getattr(exc, "strerror", None) or str(exc)


async def reachable(address: str, port: int) -> bool:
    """Whether something accepts connections there: a host with two addresses may serve on one only."""
    with anyio.move_on_after(CONNECT_TIMEOUT_S):
        try:
            stream = await anyio.connect_tcp(address, port)
        except OSError:
            return False
        await stream.aclose()
        return True
    return False


class HostGate:
    """The `Gate` of one run, made for one preview."""

    def __init__(
        self, preview: PreviewUrl, *, resolver: Callable[[str, int], Awaitable[list[str]]] = resolve
    ) -> None:
        self._preview = Endpoint(preview.host, preview.port)
        self._resolve = resolver
        self._policy: AddressPolicy | None = None
        self._found: dict[str, list[str]] = {}
        self._pins: dict[Endpoint, str] = {}
        self._refused: dict[Endpoint, str] = {}

    async def admit(self, endpoint: Endpoint) -> str:
        """Return the pinned address of the endpoint, or raise why there is none.

        One bad address refuses the host.
        """
        if endpoint not in self._pins:
            addresses = await self._addresses(endpoint)
            policy = await self._own_policy()
            for address in addresses:
                self._check(policy, endpoint, address)
            self._pins[endpoint] = await self._first_reachable(endpoint, addresses)
        return self._pins[endpoint]

    def refusal(self, endpoint: Endpoint) -> str | None:
        """Why this endpoint was refused, None when it was not."""
        return self._refused.get(endpoint)

    def _check(self, policy: AddressPolicy, endpoint: Endpoint, address: str) -> None:
        reason = policy.refusal(endpoint, kind_of(address))
        if reason is not None:
            self._refused[endpoint] = reason
            raise AddressRefusedError(reason)

    async def _own_policy(self) -> AddressPolicy:
        if self._policy is None:
            kinds = {kind_of(address) for address in await self._addresses(self._preview)}
            kind = kinds.pop() if len(kinds) == 1 else "reserved"  # a name that mixes kinds is never let in
            self._policy = AddressPolicy(self._preview, kind)
        return self._policy

    async def _addresses(self, endpoint: Endpoint) -> list[str]:
        if endpoint.host not in self._found:
            if len(self._found) >= _MAX_HOSTS:
                raise AddressRefusedError(f"{endpoint.host} is one host more than the {_MAX_HOSTS} of a run")
            self._found[endpoint.host] = await self._resolve(endpoint.host, endpoint.port)
        return self._found[endpoint.host]

    async def _first_reachable(self, endpoint: Endpoint, addresses: list[str]) -> str:
        if len(addresses) == 1:
            return addresses[0]
        for address in addresses:
            if await reachable(address, endpoint.port):
                return address
        return addresses[0]
