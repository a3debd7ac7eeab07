"""What the opening of a TLS connection says without being decrypted: which protocols the browser offers.

A browser offers `h2` wherever it means to send requests, and only `http/1.1` where it opens a WebSocket
(RFC 6455 begins with an HTTP/1.1 upgrade). That is how the proxy tells a secure WebSocket from a page,
also one of a worker, which no script of ours runs in.
"""

from __future__ import annotations

from dataclasses import dataclass

RECORD_HEAD = 5
MAX_RECORD = 16 * 1024 + 256
_HANDSHAKE = 22
_CLIENT_HELLO = 1
_ALPN = 16
_FIXED = 4 + 2 + 32
"""Bytes of a ClientHello before its first list: type and length, version, random."""


@dataclass(frozen=True, slots=True)
class Hello:
    """The protocols that a ClientHello offers, in order; none when it names none."""

    protocols: tuple[str, ...]

    @property
    def is_web_socket(self) -> bool:
        """Whether the connection can carry a WebSocket only."""
        return self.protocols == ("http/1.1",)


def record_length(head: bytes) -> int | None:
    """How many bytes follow the five of a TLS record's head; None when they are no handshake's."""
    if len(head) != RECORD_HEAD or head[0] != _HANDSHAKE or head[1] != 3:  # noqa: PLR2004 - every TLS is version 3.x
        return None
    length = int.from_bytes(head[3:])
    return length if 0 < length <= MAX_RECORD else None


def parse_hello(body: bytes) -> Hello | None:
    """Read the first record's content (RFC 8446, 4.1.2); None when it is no whole ClientHello."""
    if len(body) < _FIXED or body[0] != _CLIENT_HELLO:
        return None
    rest = _Reader(body, _FIXED)
    try:
        rest.skip(1)  # session id
        rest.skip(2)  # cipher suites
        rest.skip(1)  # compression methods
        extensions = _Reader(rest.take(2))
        while not extensions.at_end:
            kind = extensions.number(2)
            content = extensions.take(2)
            if kind == _ALPN:
                return Hello(_protocols(content))
    except ValueError:
        return None
    return Hello(())


def _protocols(content: bytes) -> tuple[str, ...]:
    names = _Reader(_Reader(content).take(2))
    found = []
    while not names.at_end:
        found.append(names.take(1).decode("latin-1"))
    return tuple(found)


class _Reader:
    """Walks over lists that begin with their length; raises `ValueError` where one is cut short."""

    def __init__(self, data: bytes, start: int = 0) -> None:
        self._data = data
        self._at = start

    @property
    def at_end(self) -> bool:
        return self._at >= len(self._data)

    def number(self, size: int) -> int:
        return int.from_bytes(self._bytes(size))

    def take(self, size: int) -> bytes:
        return self._bytes(self.number(size))

    def skip(self, size: int) -> None:
        self.take(size)

    def _bytes(self, count: int) -> bytes:
        end = self._at + count
        if end > len(self._data):
            raise ValueError("cut short")
        found = self._data[self._at : end]
        self._at = end
        return found
