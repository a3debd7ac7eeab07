"""Ed25519 signatures of entries (RFC 8032), over the canonical JSON of all other fields."""

from __future__ import annotations

import base64
from pathlib import Path
from typing import TYPE_CHECKING

from artifactize.errors import ReviewStoreError
from mcpkit.canonical import compact_json

if TYPE_CHECKING:
    from collections.abc import Iterable

    from artifactize.models.review_store import Entry

_EXTRA = "install artifactize[signatures]"
_RAW_BYTES = 32


def signed(entry: Entry, key_file: str) -> Entry:
    """Return an entry with the signature of a private key in a PEM file. Raises ReviewStoreError."""
    try:
        from cryptography.hazmat.primitives.asymmetric.ed25519 import (
            Ed25519PrivateKey,  # deferred: it is an extra
        )
        from cryptography.hazmat.primitives.serialization import load_pem_private_key
    except ImportError as failure:
        raise ReviewStoreError("verdicts cannot be signed here", hint=_EXTRA) from failure
    try:
        key = load_pem_private_key(Path(key_file).read_bytes(), password=None)
    except (OSError, ValueError, TypeError) as failure:
        raise ReviewStoreError(f"cannot use the key {key_file}: {failure}") from failure
    if not isinstance(key, Ed25519PrivateKey):
        raise ReviewStoreError(
            f"{key_file} is no Ed25519 key", hint="openssl genpkey -algorithm ed25519 -out KEY makes one"
        )
    signature = base64.b64encode(key.sign(_content(entry))).decode()
    return entry.model_copy(update={"signature": signature})


def is_signed_by(entry: Entry, trusted: Iterable[str]) -> bool:
    """Whether one of these public keys signed an entry. Raises ReviewStoreError for a key that is none."""
    try:
        from cryptography.exceptions import InvalidSignature  # deferred: it is an extra
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
    except ImportError as failure:
        raise ReviewStoreError("signatures cannot be verified here", hint=_EXTRA) from failure
    if entry.signature is None:
        return False
    try:
        signature = base64.b64decode(entry.signature, validate=True)
    except ValueError:
        return False
    for text in trusted:
        key = Ed25519PublicKey.from_public_bytes(raw_key(text))
        try:
            key.verify(signature, _content(entry))
        except InvalidSignature:
            continue
        return True
    return False


def raw_key(text: str) -> bytes:
    """Return the 32 bytes of a public key: base64 of them, or of its DER form. Raises ReviewStoreError."""
    try:
        found = base64.b64decode(text, validate=True)
    except ValueError:
        found = b""
    raw = found[-_RAW_BYTES:]  # the DER form of an Ed25519 key ends with them
    if len(found) not in {_RAW_BYTES, _RAW_BYTES + 12}:
        raise ReviewStoreError(
            f"{text!r} is no Ed25519 public key",
            hint="openssl pkey -in KEY -pubout -outform DER | base64 prints it",
        )
    return raw


def _content(entry: Entry) -> bytes:
    unsigned = entry.model_copy(update={"signature": None})
    return b"artifactize entry v1\n" + compact_json(unsigned).encode()
