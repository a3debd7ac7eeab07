"""Answers of a preview site, and the documents they are made of."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping


@dataclass(frozen=True)
class Logged:
    """One request as it arrived."""

    method: str
    path: str
    query: str
    headers: Mapping[str, str]


@dataclass(frozen=True)
class Answer:
    """A response; `hangs` never sends one, until the site closes.

    `stream` is a body in pieces, maybe endless, `pace_s` seconds apart.
    """

    body: str | bytes = ""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    hangs: bool = False
    stream: Callable[[], Iterator[bytes]] | None = None
    pace_s: float = 0.0


def document(body: str, *, title: str = "Widget", head: str = "") -> str:
    """A whole HTML document."""
    return f"<!doctype html><html><head><title>{title}</title>{head}</head><body>{body}</body></html>"


def script(code: str) -> str:
    """A page that shows itself and runs `code`."""
    return f"<h1>Page</h1><p>With a script.</p><script>{code}</script>"
