"""One place where a change asks not to be told."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Suppression:
    """`rule` is its kind, `text` stands in the line, `what` says what it does. `read`: not by pattern."""

    rule: str
    line: int
    text: str
    what: str
    read: bool = True
