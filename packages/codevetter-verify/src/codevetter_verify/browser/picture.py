"""Whether a picture shows anything: one look at pixels, where a page's own words may deceive."""

from __future__ import annotations

import struct
import zlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_CHANNELS = {0: 1, 2: 3, 4: 2, 6: 4}
"""By colour type (PNG, section 11.2.1); a palette is none of a browser's."""
_TOLERANCE = 4
"""Of 255: a difference that no eye finds, such as white on almost white."""
_MAX_BYTES = 32 * 1024 * 1024


def is_one_colour(png: bytes) -> bool:
    """Whether all pixels of a PNG (8 bits a channel) have the same colour; False when it cannot be read."""
    try:
        return _is_uniform(png)
    except (ValueError, IndexError, struct.error, zlib.error):
        return False


def _is_uniform(png: bytes) -> bool:
    if not png.startswith(_SIGNATURE):
        return False
    width, height, depth, kind, _, _, interlaced = struct.unpack(">IIBBBBB", png[16:29])
    if depth != 8 or kind not in _CHANNELS or interlaced:  # noqa: PLR2004 - bits
        return False
    size = _CHANNELS[kind]
    data = zlib.decompressobj().decompress(b"".join(_chunks(png)), _MAX_BYTES)
    first: bytes | None = None
    for row in _rows(data, width * size, height, size):
        first = first or row[:size]
        for channel in range(size):
            values = row[channel::size]
            if max(max(values) - first[channel], first[channel] - min(values)) > _TOLERANCE:
                return False
    return first is not None


def _chunks(png: bytes) -> Iterator[bytes]:
    at = len(_SIGNATURE)
    while at < len(png):
        length = int.from_bytes(png[at : at + 4])
        if png[at + 4 : at + 8] == b"IDAT":
            yield png[at + 8 : at + 8 + length]
        at += length + 12


def _rows(data: bytes, length: int, height: int, size: int) -> Iterator[bytes]:
    """The rows of pixels, their filters undone (PNG, section 9)."""
    before = bytes(length)
    for number in range(height):
        start = number * (length + 1)
        kind, coded = data[start], data[start + 1 : start + 1 + length]
        if len(coded) < length:
            raise ValueError("the picture ends early")
        if kind != 2 or any(coded):  # noqa: PLR2004 - a row that is the one above it needs no work
            before = _unfiltered(kind, coded, before, size)
        yield before


def _unfiltered(kind: int, coded: bytes, before: bytes, size: int) -> bytes:
    row = bytearray(coded)
    for at in range(len(row)):
        left = row[at - size] if at >= size else 0
        up = before[at]
        corner = before[at - size] if at >= size else 0
        row[at] = (row[at] + _predicted(kind, left, up, corner)) & 0xFF
    return bytes(row)


def _predicted(kind: int, left: int, up: int, corner: int) -> int:
    if kind == 4:  # noqa: PLR2004 - Paeth
        guess = left + up - corner
        return min((left, up, corner), key=lambda value: abs(guess - value))
    return (0, left, up, (left + up) // 2)[kind]
