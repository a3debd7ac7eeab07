"""Images are told by their bytes, and bounded before a model gets them."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING

import pytest

from artifactize.toolbox.contract import ToolFault
from artifactize.toolbox.images import MAX_IMAGE_BYTES, ImageKind, image_kind
from artifactize.toolbox.viewing import open_path, view_image
from support.toolboxes import scope_of

if TYPE_CHECKING:
    from pathlib import Path


def png(width: int, height: int) -> bytes:
    return b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + struct.pack(">II", width, height) + b"\x08\x02\0\0\0"


JPEG = b"\xff\xd8\xff\xe0\0\x04ab\xff\xff\xc2\0\x0b\x08" + struct.pack(">HH", 20, 30) + b"\1\1\0\0"
WEBP = b"RIFF\0\0\0\0WEBP"
CASES = [
    (png(3, 4), ImageKind("image/png", 3, 4)),
    (b"GIF89a" + struct.pack("<HH", 5, 6), ImageKind("image/gif", 5, 6)),
    (JPEG, ImageKind("image/jpeg", 30, 20)),
    (WEBP + b"VP8 " + bytes(10) + struct.pack("<HH", 7, 8), ImageKind("image/webp", 7, 8)),
    (WEBP + b"VP8L" + bytes(4) + b"\x2f" + struct.pack("<I", 9 | 10 << 14), ImageKind("image/webp", 10, 11)),
    (WEBP + b"VP8X" + bytes(8) + b"\1\0\0\2\0\0", ImageKind("image/webp", 2, 3)),
]


@pytest.mark.parametrize(("data", "kind"), CASES, ids=range(len(CASES)))
def test_the_first_bytes_say_what_an_image_is_and_a_cut_one_is_none(data: bytes, kind: ImageKind) -> None:
    assert image_kind(data) == kind
    assert all(image_kind(data[:length]) in {None, kind} for length in range(len(data)))
    assert image_kind(data[:8]) is None


def test_an_image_is_shown_whole_whatever_its_name_says(tmp_path: Path) -> None:
    scope = scope_of(tmp_path, x_dot_txt=png(3, 4))
    answer = view_image(scope, "guide/x.txt")
    assert answer.image is not None
    assert (answer.image.media_type, answer.image.data) == ("image/png", png(3, 4))
    assert "3x4 pixels" in open_path(scope, "guide/x.txt").text


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"<svg/>", "NOT_AN_IMAGE"),
        (png(9000, 1), "TOO_LARGE"),
        (png(1, 1) + bytes(MAX_IMAGE_BYTES), "TOO_LARGE"),
    ],
    ids=["svg", "wide", "heavy"],
)
def test_what_no_provider_takes_is_refused(tmp_path: Path, data: bytes, code: str) -> None:
    with pytest.raises(ToolFault) as refused:
        view_image(scope_of(tmp_path, x=data), "guide/x")
    assert refused.value.code == code
