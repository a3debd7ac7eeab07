"""The first bytes that a TLS client sends, made by Python's own."""

from __future__ import annotations

import ssl


def client_hello(*protocols: str) -> bytes:
    """A ClientHello record that offers `protocols`, in order."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    if protocols:
        context.set_alpn_protocols(list(protocols))
    outgoing = ssl.MemoryBIO()
    client = context.wrap_bio(ssl.MemoryBIO(), outgoing, server_hostname="preview.example")
    try:
        client.do_handshake()
    except ssl.SSLWantReadError:
        return outgoing.read()
    raise AssertionError("a handshake cannot end without a server")
