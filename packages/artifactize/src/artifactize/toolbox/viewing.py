"""`view_image` and `open`: what a file is, whatever it is."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from artifactize.toolbox.contract import Image, ToolAnswer, ToolFault
from artifactize.toolbox.images import MAX_IMAGE_BYTES, MAX_SIDE, image_kind
from artifactize.toolbox.lines import is_binary
from artifactize.toolbox.listing import list_folder
from artifactize.toolbox.reading import read

if TYPE_CHECKING:
    from artifactize.toolbox.images import ImageKind
    from artifactize.toolbox.scope import Scope

_PROBE = 256 * 1024
_FIRST_LINES = 100


def view_image(scope: Scope, path: str) -> ToolAnswer:
    """Return a PNG, JPEG, GIF or WebP as it is. Raises ToolFault `NOT_AN_IMAGE` or `TOO_LARGE`."""
    name = scope.file(path)
    with scope.open(name) as file:
        data = file.read(MAX_IMAGE_BYTES + 1)
        size = os.fstat(file.fileno()).st_size
    kind = image_kind(data)
    if kind is None:
        raise ToolFault("NOT_AN_IMAGE", f"{name} is no whole PNG, JPEG, GIF or WebP, by its first bytes")
    if len(data) > MAX_IMAGE_BYTES or max(kind.width, kind.height) > MAX_SIDE:
        raise ToolFault(
            "TOO_LARGE",
            f"{_described(name, kind, size)}; an image may have {MAX_IMAGE_BYTES} bytes and {MAX_SIDE} pixels"
            " a side",
        )
    return ToolAnswer(f"[{_described(name, kind, size)}]", Image(kind.media_type, data))


def open_path(scope: Scope, path: str = "") -> ToolAnswer:
    """Return what a path is: a folder's entries, a text's beginning, an image's size. Raises ToolFault."""
    if scope.is_folder(path):
        return list_folder(scope, path)
    name = scope.file(path)
    with scope.open(name) as file:
        data = file.read(_PROBE)
        size = os.fstat(file.fileno()).st_size
    kind = image_kind(data)
    if kind is not None:
        return ToolAnswer(f"[{_described(name, kind, size)}; view_image shows it]")
    if is_binary(data):
        return ToolAnswer(f"[{name} is binary, {size} bytes; no tool shows it]")
    return read(scope, name, lines=_FIRST_LINES)


def _described(name: str, kind: ImageKind, size: int) -> str:
    return f"{name}: {kind.media_type}, {kind.width}x{kind.height} pixels, {size} bytes"
