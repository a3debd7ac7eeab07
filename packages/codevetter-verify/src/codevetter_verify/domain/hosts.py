"""Which hosts are the preview's own site.

Without a list of public suffixes this errs on the side of another site: the same host, its `www.` twin, and
what the owner allowed by name or `*.pattern`.
"""

from __future__ import annotations

import re

from codevetter_verify.errors import InvalidInputError

_PATTERN = re.compile(r"(?:\*\.)?[a-z0-9_-]+(?:\.[a-z0-9_-]+)*|\[?[0-9a-f:]+\]?")


def parse_host_pattern(text: str) -> str:
    """Read an allow-list entry, `preview.example.com` or `*.example.app`; raise `InvalidInputError`."""
    pattern = text.strip().lower().removesuffix(".")
    if not _PATTERN.fullmatch(pattern) or (pattern.startswith("*.") and "." not in pattern[2:]):
        raise InvalidInputError(
            f"preview host {text[:80]!r} is neither a host name nor *.NAME with two labels after the star",
            hint="for example `--preview-host '*.widget.example.app'`",
            field="preview_host",
        )
    return pattern.strip("[]")


def host_matches(pattern: str, host: str) -> bool:
    """Whether `host` is `pattern`, or one or more labels below its `*.`."""
    if pattern.startswith("*."):
        return host.endswith(pattern[1:]) and len(host) > len(pattern) - 1
    return host == pattern


def same_site(host: str, other: str) -> bool:
    """Whether two hosts are one, `www.` aside."""
    return host.removeprefix("www.") == other.removeprefix("www.")
