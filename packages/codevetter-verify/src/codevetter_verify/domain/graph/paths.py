"""Paths of a tree as text: joined, and completed the way bundlers complete them."""

from __future__ import annotations

import posixpath
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

EXTENSIONS = (
    "ts", "tsx", "js", "jsx", "mts", "mjs", "cts", "cjs", "vue", "svelte", "astro", "mdx", "md", "json",
    "css",    "scss", "sass", "less",
)  # fmt: skip
_WRITTEN_AS = {"js": ("ts", "tsx"), "jsx": ("tsx",), "mjs": ("mts",), "cjs": ("cts",)}
"""TypeScript names the file that will be, not the one that is."""


def join(folder: str, address: str) -> str | None:
    """`address` seen from `folder`, normalised; None when it leads out of the repository."""
    path = posixpath.normpath(posixpath.join(folder, address))
    if path.startswith(("..", "/")):
        return None
    return "" if path == "." else path


def folder_of(path: str) -> str:
    """The folder a file lies in, without a slash at its end; empty for the root."""
    return path.rpartition("/")[0]


def complete(path: str, tree: Collection[str]) -> str | None:
    """The file of the tree that an import of `path` means."""
    return next((candidate for candidate in _candidates(path) if candidate in tree), None)


def _candidates(path: str) -> Iterator[str]:
    if path:
        yield path
        stem, _, extension = path.rpartition(".")
        for written in _WRITTEN_AS.get(extension, ()):
            yield f"{stem}.{written}"
        for extension in EXTENSIONS:
            yield f"{path}.{extension}"
        folder, _, name = path.rpartition("/")
        for extension in ("scss", "sass"):  # Sass's partials
            yield f"{folder}/_{name}.{extension}" if folder else f"_{name}.{extension}"
    for extension in EXTENSIONS:
        yield f"{path}/index.{extension}" if path else f"index.{extension}"
