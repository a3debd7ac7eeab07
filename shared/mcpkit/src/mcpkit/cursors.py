"""Opaque cursors: where a page ended, sealed with what was being paged.

A cursor is `base64url(version ‖ tag ‖ payload)`. The tag is an HMAC of version and payload under a key made
of tool, arguments and digest, so that a cursor of another call, of content that has changed since, or with a
character changed fails the same check. It is a seal against mistakes, not a secret: whoever can read the
content could make one, and would get a page of that content. Nothing is stored; a cursor outlives the
server process that issued it.
"""

from __future__ import annotations

import hashlib
import hmac
import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mcpkit.errors import InvalidCursorError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pydantic import JsonValue

MAX_CURSOR = 1024
"""Longest cursor that is issued or read, in characters."""

_VERSION = b"\x01"
_TAG = 16


@dataclass(frozen=True)
class Binding:
    """What a cursor belongs to: the tool, its arguments without `cursor`, a digest of what is paged.

    An argument that is None counts as absent. Leave an argument out to let it change between pages (`limit`).
    """

    tool: str
    arguments: Mapping[str, JsonValue]
    digest: str

    def key(self) -> bytes:
        """Return the key that seals the cursors of this call."""
        given = {name: value for name, value in self.arguments.items() if value is not None}
        return hashlib.sha256(json.dumps([self.tool, given, self.digest], sort_keys=True).encode()).digest()


def issue(binding: Binding, *, kind: str, position: int, carry: str = "") -> str:
    """Return the cursor of a position, of the paging function `kind`. ValueError for a long `carry`."""
    payload = json.dumps([kind, position, carry], separators=(",", ":")).encode()
    cursor = _text(_VERSION + _tag(binding, payload) + payload)
    if len(cursor) > MAX_CURSOR:
        raise ValueError(f"{len(carry)} characters are too many for a cursor to carry")
    return cursor


def read(cursor: str | None, binding: Binding, *, kind: str) -> int:
    """Return the position of a cursor, 0 for none. Raises InvalidCursorError for any but our own."""
    if cursor is None:
        return 0
    tag, payload = _opened(cursor)
    if not hmac.compare_digest(tag, _tag(binding, payload)):
        raise InvalidCursorError
    issued_kind, position, _ = json.loads(payload)
    if issued_kind != kind:
        raise InvalidCursorError
    return int(position)


def carried(cursor: str | None) -> str | None:
    """Return the text that the issuer put into a cursor, its seal unchecked; None without a cursor.

    For what the content itself depends on, such as the clock of the first page: make the content with it,
    then page, which checks the seal over it. Raises InvalidCursorError when nothing can be read.
    """
    if cursor is None:
        return None
    try:
        _, _, carry = json.loads(_opened(cursor)[1])
    except (ValueError, TypeError):
        raise InvalidCursorError from None
    if not isinstance(carry, str):
        raise InvalidCursorError
    return carry


def _opened(cursor: str) -> tuple[bytes, bytes]:
    try:
        raw = urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)) if len(cursor) <= MAX_CURSOR else b""
    except ValueError:
        raise InvalidCursorError from None
    # base64 ignores foreign characters and spare bits: only the one spelling we issue is accepted
    if raw[:1] != _VERSION or len(raw) <= 1 + _TAG or _text(raw) != cursor:
        raise InvalidCursorError
    return raw[1 : 1 + _TAG], raw[1 + _TAG :]


def _tag(binding: Binding, payload: bytes) -> bytes:
    return hmac.digest(binding.key(), _VERSION + payload, "sha256")[:_TAG]


def _text(raw: bytes) -> str:
    return urlsafe_b64encode(raw).rstrip(b"=").decode("ascii")
