"""Which settings held for a folder before a file of settings arrived in it.

Most tools read one file: the nearest to what they look at, and one of several names in a folder. A new file
takes the place of another one that nobody touched, so the diff alone shows nothing that gets weaker.
"""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from prview.signals.suppressions.setting_files import reader_of, setting_names

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from prview.signals.own import Texts
    from prview.signals.suppressions.setting_files import Keys

_NEAREST = frozenset({"ruff", "pytest", "eslint", "biome", "stylelint", "golangci-lint", "tsc"})
"""Tools that look upwards from a file; the others read what is where they are started."""

_CASCADING = frozenset({"eslint"})
_EXTENDS = frozenset({"extend", "extends"})


def in_force(base: Texts, path: str, tool: str) -> dict[Keys, object]:
    """The settings of the merge base that a new file at `path` takes the place of; none for a new folder."""
    folder = PurePosixPath(path).parent
    there = "" if str(folder) == "." else f"{folder}/"
    if not any(known.startswith(there) for known in base.paths):
        return {}
    folders = [folder, *folder.parents] if tool in _NEAREST else [folder]
    found = (settings for one in folders for settings in _in(base, one, tool))
    return next(found, {})


def adds_to(tool: str, settings: Mapping[Keys, object]) -> bool:
    """Whether settings come on top of those above instead of replacing them."""
    extends = any(keys and keys[0] in _EXTENDS for keys in settings)
    return extends or (tool in _CASCADING and not settings.get(("root",)))


def _in(base: Texts, folder: PurePosixPath, tool: str) -> Iterator[dict[Keys, object]]:
    for name in setting_names():
        path = str(folder / name)
        read, text = reader_of(path), base.text(path)
        try:
            settings = read(text).get(tool) if read and text else None
        except (ValueError, RecursionError, AttributeError):
            continue  # what cannot be read holds for nobody
        if settings:
            yield settings
