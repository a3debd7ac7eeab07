"""Finds secrets in text and takes them out, before anything is written.

Works on bytes, so that a patch keeps every other byte. Lines are told apart by LF alone, and a mask never
takes a line away: what was a patch stays one, though it applies no longer where it was masked.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING

from prview.domain.secret_shapes import PRIVATE_KEY, SHAPES, Shape, secret_span

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

_HINTS = {
    hint: tuple(place for place, shape in enumerate(SHAPES) if hint in shape.hints)
    for hint in dict.fromkeys(hint for shape in SHAPES for hint in shape.hints)
}
"""Hint to the places of its shapes in SHAPES."""

_KEY_BEGIN = re.compile(rb"-----BEGIN (?:[A-Z0-9]{1,20} ){0,4}PRIVATE KEY(?: BLOCK)?-----")
_KEY_LINE = re.compile(rb"[-+ ]?[ \t\"'>#/*]{0,16}(?P<body>[A-Za-z0-9+/=]{16,}|[A-Za-z-]{2,20}: [^\n]{1,80})")
_KEY_INLINE = re.compile(rb"(?:\\n|\\r|[A-Za-z0-9+/= ]){40,}")
_KEY_LINES = 400
"""Lines of the longest private key that is masked; real ones have fewer than 120."""


@dataclass(frozen=True)
class Secret:
    """A secret on one line, from the character `start` (counting from 0) to before `end`."""

    kind: str
    title: str
    start: int
    end: int


def secrets_by_line(lines: Sequence[str], *, careful: bool = False) -> dict[int, tuple[Secret, ...]]:
    """The secrets of every line that has some, by its place in `lines`: one search through all of them.

    They go from left to right, none inside of another. `careful` asks for more where the form alone does not
    tell, as in the code of tests.
    """
    encoded = [line.encode("utf-8", "replace") for line in lines]
    ends = list(accumulate(len(line) + 1 for line in encoded))
    found: dict[int, tuple[Secret, ...]] = {}
    for (start, _), hinted in _candidates(b"\n".join(encoded)).items():
        place = bisect_right(ends, start)
        if secrets := _of_shapes(lines[place], sorted(hinted), careful=careful):
            found[place] = secrets
    return found


def begins_private_key(line: str, following: str) -> bool:
    """Whether a line begins a private key that is really there: on the same line, or on the `following`."""
    match = _KEY_BEGIN.search(line.encode())
    if match is None:
        return False
    inline = _KEY_INLINE.match(line.encode(), match.end())
    return inline is not None or _KEY_LINE.fullmatch(following.rstrip().encode()) is not None


def mask_bytes(data: bytes) -> bytes:
    """The data with every secret replaced by `[masked:<kind>]`; the same object when there is none."""
    spans = sorted({*_line_spans(data), *_key_spans(data)})
    if not spans:
        return data
    parts, at = [], 0
    for start, end, kind in spans:
        if start >= at:  # one inside of another is gone with it
            parts += [data[at:start], f"[masked:{kind}]".encode()]
            at = end
    return b"".join((*parts, data[at:]))


def mask_text(text: str) -> str:
    """The same for text."""
    data = text.encode("utf-8", "surrogatepass")
    masked = mask_bytes(data)
    return text if masked is data else masked.decode("utf-8", "surrogatepass")


def _of_shapes(line: str, places: Iterable[int], *, careful: bool) -> tuple[Secret, ...]:
    found: list[Secret] = []
    for place in places:  # the more specific shapes come first
        found += [item for item in _of_shape(SHAPES[place], line, careful=careful) if _free(item, found)]
    return tuple(sorted(found, key=lambda item: item.start)) if found else ()


def _of_shape(shape: Shape, line: str, *, careful: bool) -> Iterator[Secret]:
    for match in shape.pattern.finditer(line):
        if shape.real(match, careful):
            start, end = secret_span(match)
            yield Secret(shape.kind, shape.title, start, end)


def _free(item: Secret, taken: list[Secret]) -> bool:
    return all(item.end <= other.start or item.start >= other.end for other in taken)


def _line_spans(data: bytes) -> Iterator[tuple[int, int, str]]:
    for (start, end), hinted in _candidates(data).items():
        line = data[start:end].decode("latin-1")  # one character a byte
        found = _of_shapes(line, sorted(hinted), careful=False)
        yield from ((start + item.start, start + item.end, item.kind) for item in found)


def _candidates(data: bytes) -> dict[tuple[int, int], set[int]]:
    """The lines that hold a hint, and the shapes it is of: a few passes of a fast search."""
    lowered = data.lower()
    found: dict[tuple[int, int], set[int]] = {}
    for hint, places in _HINTS.items():
        at = lowered.find(hint)
        while at >= 0:
            start, end = lowered.rfind(b"\n", 0, at) + 1, lowered.find(b"\n", at)
            end = len(data) if end < 0 else end
            found.setdefault((start, end), set()).update(places)
            at = lowered.find(hint, end)
    return found


def _key_spans(data: bytes) -> Iterator[tuple[int, int, str]]:
    """The lines between BEGIN and END, each for itself; or what follows BEGIN on its own line."""
    for begin in _KEY_BEGIN.finditer(data):
        inline = _KEY_INLINE.match(data, begin.end())
        if inline:
            yield (*inline.span(), PRIVATE_KEY)
            continue
        at = data.find(b"\n", begin.end()) + 1
        for _ in range(_KEY_LINES):
            line = _KEY_LINE.match(data, at) if at else None
            if line is None:
                break
            yield (*line.span("body"), PRIVATE_KEY)
            at = data.find(b"\n", line.end()) + 1
