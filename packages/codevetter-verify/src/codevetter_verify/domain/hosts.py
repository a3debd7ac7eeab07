"""Which hosts are the preview's own site: those below one registrable domain, and what the owner allowed.

What is registrable says the public suffix list (https://publicsuffix.org), its private part included: two
projects of one hosting company, `one.vercel.app` and `two.vercel.app`, are two sites. This says only whose a
host is; whether a connection to it is allowed is the gate's matter.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from codevetter_verify.errors import InvalidInputError

if TYPE_CHECKING:
    from publicsuffixlist import PublicSuffixList

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


@lru_cache(maxsize=1024)
def same_site(host: str, other: str) -> bool:
    """Whether two hosts are one, or lie below the same registrable domain."""
    if host == other:
        return True
    if _end(host) != _end(other) or _is_address(host):
        return False  # the list, which takes a while to read, could not make them one
    domain: str | None = _suffixes().privatesuffix(host)
    return domain is not None and domain == _suffixes().privatesuffix(other)


def _end(host: str) -> list[str]:
    """The labels that every registrable domain has."""
    return host.split(".")[-2:]


def _is_address(host: str) -> bool:
    return ":" in host or host.rpartition(".")[2].isdigit()


@cache
def _suffixes() -> PublicSuffixList:
    from publicsuffixlist import PublicSuffixList  # 60 ms with its list, for pages that use several hosts

    return PublicSuffixList()
