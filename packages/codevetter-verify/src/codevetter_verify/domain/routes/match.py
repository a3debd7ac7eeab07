"""What a file is to the conventions of a framework."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal
from urllib.parse import quote

MatchKind = Literal["page", "dynamic", "api", "not_page"]


@dataclass(frozen=True, slots=True)
class Match:
    """A file's part in a framework: a page with its route, a page whose route cannot be known, or none.

    `pattern` is the route of a dynamic page as its framework spells it: what the owner declares samples for.
    """

    kind: MatchKind
    framework: str
    route: str | None = None
    reason: str = ""
    pattern: str = ""


def page(framework: str, segments: list[str]) -> Match:
    """A page at literal path segments."""
    return Match("page", framework, "/" + "/".join(quote(part, safe="@!$&'()*+,;=~-._") for part in segments))


def dynamic(framework: str, segments: list[str], why: str) -> Match:
    """A page whose address depends on a value or a place that nobody declared."""
    pattern = "/" + "/".join(segments)
    return Match("dynamic", framework, None, f"{why} in {pattern} is not guessed", pattern)


_BRACKETED = re.compile(r"\[.*\]")


def bracketed(segment: str) -> bool:
    """Whether a segment holds a `[param]` of any form."""
    return _BRACKETED.search(segment) is not None


def split_extension(name: str, extensions: frozenset[str]) -> str | None:
    """The name without its extension when that is one of `extensions` (no dots); None otherwise."""
    stem, dot, extension = name.rpartition(".")
    return stem if dot and stem and extension in extensions else None
