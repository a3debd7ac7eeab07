"""The top-level declarations of two versions of a file between which they differ.

Most changes touch a few functions of a long file. What lies before the first and behind the last difference
is the same text in both, so that comparing the declarations in between compares the files.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

_TOP = re.compile(r"(?!where\b)[^\s)\]}{/*#]")
"""How a line begins that can be the first of a declaration: not indented, no brace, no comment."""

_LONG_TEXTS = ('"""', "'''", "`")
"""What begins and ends a text of many lines: a cut inside of one would be misread."""


def changed_part(old: str, new: str) -> tuple[str, str] | None:
    """Both versions cut down to whole declarations; None where that cannot be done safely."""
    before, after = old.split("\n"), new.split("\n")
    head = common_length(before, after)
    tail = common_length(before[head:][::-1], after[head:][::-1])
    start = _start(before, head)
    length = _rest(before, len(before) - tail)
    cut_old = "\n".join(before[start : len(before) - length])
    cut_new = "\n".join(after[start : len(after) - length])
    prefix = "\n".join(before[:start])
    return (cut_old, cut_new) if all(map(_closed, (prefix, cut_old, cut_new))) else None


def common_length(one: Sequence[str], other: Sequence[str]) -> int:
    """How many lines are the same from the beginning."""
    shorter = min(len(one), len(other))
    return next((index for index in range(shorter) if one[index] != other[index]), shorter)


def _start(lines: Sequence[str], head: int) -> int:
    """The declaration that the line before the first difference belongs to."""
    return next((index for index in range(head - 1, 0, -1) if _TOP.match(lines[index])), 0)


def _rest(lines: Sequence[str], end: int) -> int:
    """How many lines are left from the first declaration behind the last difference."""
    return next((len(lines) - index for index in range(end, len(lines)) if _TOP.match(lines[index])), 0)


def _closed(text: str) -> bool:
    """Whether texts and comments of many lines that begin in it end in it, as far as counting tells."""
    opened, closed = text.count("/*"), text.count("*/")
    return opened == closed and all(text.count(mark) % 2 == 0 for mark in _LONG_TEXTS)
