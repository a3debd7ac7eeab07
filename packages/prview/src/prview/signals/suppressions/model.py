"""One place where a change asks not to be told."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


@dataclass(frozen=True)
class Suppression:
    """`rule` is its kind, `text` stands in the line, `what` says what it does. `read`: not by pattern."""

    rule: str
    line: int
    text: str
    what: str
    read: bool = True


def with_words(lines: Sequence[str], words: Iterable[str]) -> list[str]:
    """The lines that have one of the words. Most texts have none, which one look at the whole tells."""
    text = "\n".join(lines)
    present = [word for word in words if word in text]
    return [line for line in lines if any(word in line for word in present)] if present else []
