"""Keeps the values of the preview's query string (a protection bypass, perhaps) out of all that is kept.

In an address every query value is masked, whoever's it is. In free text only the preview's own values of six
or more characters are, since masking a `1` everywhere would destroy the evidence, and what looks like
anybody's credential (`domain.secrets`).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl, quote, quote_plus, unquote, urlsplit, urlunsplit

from codevetter_verify.domain.secrets import MASK, mask_secrets
from mcpkit.text import escape_untrusted

if TYPE_CHECKING:
    from codevetter_verify.domain.preview_url import PreviewUrl

_MIN_SECRET = 6
_QUERY = re.compile(r"(?P<head>\bhttps?://[^\s?#\"'<>)]*)\?(?P<query>[^\s#\"'<>)]*)")


def mask_query(query: str) -> str:
    """`a=1&b=2` with its values masked; a query without `=` is masked whole."""
    pairs = [pair.partition("=") for pair in query.split("&") if pair]
    return "&".join(f"{name}={MASK}" if equals else MASK for name, equals, _ in pairs)


def mask_url(url: str) -> str:
    """An address with masked query values, without fragment and credentials."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return MASK
    if parts.scheme in ("data", "blob", "javascript"):
        return f"{parts.scheme}:{MASK}"
    host = parts.netloc.rpartition("@")[2]
    return urlunsplit((parts.scheme, host, parts.path, mask_query(parts.query), ""))


def masked(preview: PreviewUrl) -> str:
    """The preview's address as it may be kept."""
    return preview.bare().address + (f"?{mask_query(preview.query)}" if preview.query else "")


@dataclass(frozen=True, slots=True)
class Redactor:
    """Masks one preview's secrets and makes text safe to keep and to print."""

    secrets: tuple[str, ...] = ()

    @classmethod
    def of_query(cls, query: str) -> Redactor:
        """The redactor of a preview whose address has this query string."""
        raw = {part.partition("=")[2] or part for part in query.split("&")}
        values = (
            raw | {value for _, value in parse_qsl(query, keep_blank_values=True)} | {unquote(v) for v in raw}
        )
        spellings = {form for value in values for form in (value, quote(value, safe=""), quote_plus(value))}
        return cls(tuple(sorted((s for s in spellings if len(s) >= _MIN_SECRET), key=lambda s: (-len(s), s))))

    def text(self, text: str, *, limit: int) -> str:
        """`text` masked, without control and direction characters, cut at `limit` characters with a mark."""
        kept = text[
            : limit * 4
        ]  # more than enough for a mask to shrink; a 5 MB line is not worth reading whole
        kept = _QUERY.sub(lambda m: f"{m['head']}?{mask_query(m['query'])}", kept)
        for secret in self.secrets:
            kept = kept.replace(secret, MASK)
        kept = escape_untrusted(mask_secrets(kept))
        return kept if len(kept) <= limit and len(text) <= limit * 4 else kept[: limit - 1] + "…"

    def url(self, url: str, *, limit: int = 300) -> str:
        """An address as it may be kept."""
        return self.text(mask_url(url), limit=limit)
