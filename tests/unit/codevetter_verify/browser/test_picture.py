"""Whether a picture shows anything."""

from __future__ import annotations

import struct
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codevetter_verify.browser.picture import is_one_colour

WHITE, ALMOST, GREY = (255, 255, 255), (253, 254, 255), (200, 200, 200)
Pixel = tuple[int, int, int]


def png(rows: list[list[Pixel]], kinds: list[int]) -> bytes:
    """The picture, each row with the filter that `kinds` names."""
    lines, above = b"", bytes(3 * len(rows[0]))
    for row, kind in zip(rows, kinds, strict=True):
        plain = bytes(value for pixel in row for value in pixel)
        lines += bytes([kind]) + filtered(plain, above, kind)
        above = plain
    head = struct.pack(">IIBBBBB", len(rows[0]), len(rows), 8, 2, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", head)
        + chunk(b"IDAT", zlib.compress(lines))
        + chunk(b"IEND", b"")
    )


def chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def filtered(plain: bytes, above: bytes, kind: int) -> bytes:
    coded = []
    for at, value in enumerate(plain):
        left, corner = (plain[at - 3], above[at - 3]) if at >= 3 else (0, 0)
        guess = left + above[at] - corner
        nearest = min((left, above[at], corner), key=lambda near: abs(guess - near))
        coded.append((value - (0, left, above[at], (left + above[at]) // 2, nearest)[kind]) % 256)
    return bytes(coded)


@pytest.mark.parametrize("kind", range(5))
def test_one_colour_is_one_colour_however_its_rows_are_written(kind: int) -> None:
    assert is_one_colour(png([[WHITE] * 4] * 3, [kind] * 3))
    assert is_one_colour(png([[WHITE, ALMOST] * 2] * 3, [kind] * 3)), "no eye tells these apart"
    assert not is_one_colour(png([[WHITE] * 4, [WHITE, WHITE, WHITE, GREY], [WHITE] * 4], [kind] * 3))


@given(st.data())
def test_every_filter_is_undone(data: st.DataObject) -> None:
    pixel = st.tuples(*[st.integers(0, 255)] * 3)
    rows = data.draw(st.lists(st.lists(pixel, min_size=3, max_size=3), min_size=1, max_size=4))
    kinds = data.draw(st.lists(st.integers(0, 4), min_size=len(rows), max_size=len(rows)))
    first = rows[0][0]
    near = all(abs(a - b) <= 4 for row in rows for pixel in row for a, b in zip(pixel, first, strict=True))
    assert is_one_colour(png(rows, kinds)) is near


@pytest.mark.parametrize("broken", [b"", b"\xff\xd8jpeg", png([[WHITE]], [0])[:40]])
def test_what_cannot_be_read_is_not_called_empty(broken: bytes) -> None:
    assert not is_one_colour(broken)
