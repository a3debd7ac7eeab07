"""Telling images by their first bytes, and their size in pixels without decoding them."""

from __future__ import annotations

import struct
from dataclasses import dataclass

MAX_IMAGE_BYTES = 3_750_000
"""What every provider takes after base64 has made it a third longer (5 MB)."""

MAX_SIDE = 8000
_PNG = b"\x89PNG\r\n\x1a\n"
_NO_SIZE_MARKERS = frozenset({0xC4, 0xC8, 0xCC})  # among C0-CF: Huffman tables, reserved, arithmetic coding
_FRAME_MARKERS = frozenset(range(0xC0, 0xD0)) - _NO_SIZE_MARKERS
_VP8X_HEADER = 30
_ALONE = frozenset({0x01, *range(0xD0, 0xD9)})


@dataclass(frozen=True, slots=True)
class ImageKind:
    """What an image is, and how large in pixels."""

    media_type: str
    width: int
    height: int


def image_kind(data: bytes) -> ImageKind | None:
    """Return what image the data begin, or None when it is none that reviewers are shown or it is cut off."""
    try:
        size = _size(data)
    except (struct.error, IndexError):
        return None
    return None if size is None else ImageKind(*size)


def _size(data: bytes) -> tuple[str, int, int] | None:
    if data.startswith(_PNG) and data[12:16] == b"IHDR":
        return "image/png", *struct.unpack_from(">II", data, 16)
    if data[:6] in {b"GIF87a", b"GIF89a"}:
        return "image/gif", *struct.unpack_from("<HH", data, 6)
    if data.startswith(b"\xff\xd8\xff"):
        return _jpeg(data)
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return _webp(data)
    return None


def _jpeg(data: bytes) -> tuple[str, int, int] | None:
    at = 2
    while at + 4 <= len(data) and data[at] == 0xFF:  # noqa: PLR2004 - every marker begins with it
        marker = data[at + 1]
        if marker == 0xFF:  # noqa: PLR2004 - fill bytes
            at += 1
        elif marker in _FRAME_MARKERS:
            height, width = struct.unpack_from(">HH", data, at + 5)
            return "image/jpeg", width, height
        elif marker in _ALONE:
            at += 2
        else:
            at += 2 + int(struct.unpack_from(">H", data, at + 2)[0])
    return None


def _webp(data: bytes) -> tuple[str, int, int] | None:
    kind = data[12:16]
    if kind == b"VP8 ":
        width, height = struct.unpack_from("<HH", data, 26)
        return "image/webp", width & 0x3FFF, height & 0x3FFF
    if kind == b"VP8L":
        bits = int(struct.unpack_from("<I", data, 21)[0])
        return "image/webp", (bits & 0x3FFF) + 1, ((bits >> 14) & 0x3FFF) + 1
    if kind == b"VP8X" and len(data) >= _VP8X_HEADER:
        width = int.from_bytes(data[24:27], "little") + 1
        return "image/webp", width, int.from_bytes(data[27:30], "little") + 1
    return None
