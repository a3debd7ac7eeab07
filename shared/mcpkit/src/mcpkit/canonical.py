"""The two JSON forms of the project: canonical bytes for fingerprints, compact text for wires."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING

import rfc8785
from pydantic_core import to_jsonable_python

if TYPE_CHECKING:
    from pydantic import JsonValue


def canonical_json(value: object) -> bytes:
    """The one byte form of a JSON value: RFC 8785 (sorted keys, shortest numbers, UTF-8).

    Models are taken as their JSON. Raises ValueError for what RFC 8785 cannot hold: NaN, infinities, integers
    beyond 2**53 - 1, lone surrogates.
    """
    return rfc8785.dumps(plain(value))


def compact_json(value: object) -> str:
    """JSON text without spaces, keys in the order of the value, characters beyond ASCII as themselves.

    The text of an MCP success, and the compact form of `--json`, are this. Raises ValueError for NaN,
    infinities and lone surrogates, which no JSON reader on the other side would take.
    """
    text = json.dumps(plain(value), ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    text.encode()  # a lone surrogate fails here, where the cause is near, and not in the transport
    return text


def sha256_hex(data: bytes) -> str:
    """The SHA-256 of `data` as 64 lower-case hexadecimal digits."""
    return hashlib.sha256(data).hexdigest()


def plain(value: object) -> JsonValue:
    """`value` as plain JSON types: models dumped by alias, enums, paths and dates in their JSON form."""
    made: JsonValue = to_jsonable_python(value, by_alias=True)
    return made
