"""What an HTTP answer, or none, of a provider means for a review."""

from __future__ import annotations

import email.utils
import math
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from artifactize.agents.turns import ProviderFault
from mcpkit.text import escape_untrusted

if TYPE_CHECKING:
    from collections.abc import Mapping

_MS = 1000
_MESSAGE_CHARS = 400
_OF_STATUS = {401: "AUTHENTICATION", 403: "AUTHENTICATION", 402: "QUOTA", 429: "RATE_LIMIT"}
_PASSING = frozenset({408, 409, 425})
_SERVER = 500
_QUOTA_KINDS = frozenset({"insufficient_quota", "billing_error", "billing_hard_limit_reached"})
_OF_KIND = {
    "authentication_error": "AUTHENTICATION",
    "permission_error": "AUTHENTICATION",
    "rate_limit_error": "RATE_LIMIT",
    "rate_limit_exceeded": "RATE_LIMIT",
    "overloaded_error": "TRANSIENT",
    "api_error": "TRANSIENT",
    "server_error": "TRANSIENT",
    "timeout_error": "TRANSIENT",
}


def of_answer(status: int, body: object, headers: Mapping[str, str]) -> ProviderFault:
    """Return the fault for an answer that is no success."""
    kinds, message = read_error(body)
    return ProviderFault(
        _code(status, kinds, message),
        f"HTTP {status}: {shown(message or 'no message')}",
        retry_after_s=retry_after(headers),
    )


def of_event(body: object, *, heard: bool) -> ProviderFault:
    """Return the fault for an error that came inside of a stream."""
    kinds, message = read_error(body)
    if kinds & _QUOTA_KINDS:
        code = "QUOTA"
    else:
        code = next((_OF_KIND[kind] for kind in sorted(kinds) if kind in _OF_KIND), "PROVIDER_ERROR")
    return ProviderFault(code, f"the provider broke off: {shown(message or 'no message')}", heard=heard)


def read_error(body: object) -> tuple[frozenset[str], str]:
    """Return the type and code of an error's body, and its message."""
    inner = body.get("error", body) if isinstance(body, dict) else body
    if not isinstance(inner, dict):
        return frozenset(), "" if inner is None else str(inner)
    kinds = frozenset(str(inner[key]) for key in ("type", "code") if inner.get(key))
    return kinds, str(inner.get("message") or "")


def retry_after(headers: Mapping[str, str], *, at: datetime | None = None) -> float | None:
    """Return the seconds that a `Retry-After` (or `retry-after-ms`) asks to wait, or None."""
    exact = headers.get("retry-after-ms")
    asked = headers.get("retry-after")
    seconds = _number(exact) if exact is not None else None
    if seconds is not None:
        return seconds / _MS
    if asked is None:
        return None
    seconds = _number(asked)
    return seconds if seconds is not None else _until(asked, at or datetime.now(UTC))


def shown(text: str) -> str:
    """Return a provider's words for a person: one line, bounded, nothing invisible."""
    return " ".join(escape_untrusted(text).split())[:_MESSAGE_CHARS]


def _code(status: int, kinds: frozenset[str], message: str) -> str:
    if kinds & _QUOTA_KINDS or "credit balance is too low" in message.lower():
        return "QUOTA"  # openai says 429 and anthropic 400 for an account without money
    if status in _OF_STATUS:
        return _OF_STATUS[status]
    return "TRANSIENT" if status >= _SERVER or status in _PASSING else "PROVIDER_ERROR"


def _number(text: str) -> float | None:
    try:
        value = float(text)
    except ValueError:
        return None
    return value if math.isfinite(value) and value >= 0 else None


def _until(text: str, at: datetime) -> float | None:
    try:
        when = email.utils.parsedate_to_datetime(text)
    except ValueError:
        return None
    return max(0.0, (when - at).total_seconds()) if when.tzinfo is not None else None
