"""What the tools of a reviewer can see: named files, and nothing that is not named."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from artifactize.domain.logical_paths import path_fault
from artifactize.toolbox.contract import ToolFault
from artifactize.toolbox.opening import opened
from mcpkit.text import escape_untrusted

if TYPE_CHECKING:
    from collections.abc import Mapping
    from contextlib import AbstractContextManager
    from io import BufferedReader
    from pathlib import Path

_SHOWN_ROOTS = 20


@dataclass(frozen=True)
class Scope:
    """The visible files: logical path → place below `base`. `about` says what each root is.

    A path that is not in `files`, nor a folder on the way to one of them, does not exist here. So no path
    leads out, whatever it spells.
    """

    base: Path
    files: Mapping[str, str]
    about: Mapping[str, str]
    single: Mapping[str, str]

    @cached_property
    def paths(self) -> tuple[str, ...]:
        """Every visible file, sorted."""
        return tuple(sorted(self.files))

    @cached_property
    def folders(self) -> Mapping[str, tuple[str, ...]]:
        """Every folder with the names in it, sorted, folders with a `/` behind; "" is the outermost one."""
        found: dict[str, set[str]] = {"": {f"{root}/" for root in self.about if root}}
        for path in self.files:
            _enter(found, path)
        for root in self.about:
            found.setdefault(root, set())
        return {folder: tuple(sorted(names)) for folder, names in found.items()}

    def folder(self, path: str) -> str:
        """Return the logical folder that a path names; "" and "." are the outermost one. Raises ToolFault."""
        wanted = _trimmed(path)
        if wanted in self.folders:
            return wanted
        if wanted in self.files:
            raise ToolFault("INVALID_ARGUMENTS", f"{path} is a file; read it, or name a folder")
        raise self._missing(path)

    def is_folder(self, path: str) -> bool:
        """Whether a path names a folder, and no file Artifact."""
        return _trimmed(path) in self.folders and _trimmed(path) not in self.single

    def file(self, path: str) -> str:
        """Return the logical file that a path names; the name of a file Artifact is that file. ToolFault."""
        wanted = _trimmed(path)
        if wanted in self.files:
            return wanted
        if wanted in self.single:
            return self.single[wanted]
        if wanted in self.folders:
            raise ToolFault("INVALID_ARGUMENTS", f"{path} is a folder; list it, or name a file in it")
        raise self._missing(path)

    def below(self, path: str) -> tuple[str, ...]:
        """Return the files at or below a path, sorted. Raises ToolFault."""
        wanted = _trimmed(path)
        if wanted in self.files or wanted in self.single:
            return (self.file(path),)
        folder = self.folder(path)
        prefix = f"{folder}/" if folder else ""
        return tuple(each for each in self.paths if each.startswith(prefix))

    def open(self, path: str) -> AbstractContextManager[BufferedReader]:
        """Open a logical file that `file` or `below` gave. Raises ToolFault."""
        return opened(self.base, self.files[path], shown=path)

    def _missing(self, path: str) -> ToolFault:
        shown = escape_untrusted(path[:200])
        fault = path_fault(_trimmed(path)) if _trimmed(path) else None
        if fault is not None:
            return ToolFault("INVALID_ARGUMENTS", f"no such path: {escape_untrusted(fault[:300])}")
        roots = [name for name in self.about if name]
        known = f"; paths start with one of {', '.join(roots[:_SHOWN_ROOTS])}" if roots else ""
        return ToolFault("NOT_FOUND", f"there is no {shown} here{known}")


def _trimmed(path: str) -> str:
    trimmed = path.removeprefix("./").rstrip("/") if path != "/" else path
    if path.startswith("/"):
        return path
    return "" if trimmed == "." else trimmed


def _enter(found: dict[str, set[str]], path: str) -> None:
    """Enter a file into its folder, and that into its own, up to one that is there already."""
    folder, _, name = path.rpartition("/")
    while True:
        known = folder in found
        found.setdefault(folder, set()).add(name)
        if not folder or (known and not name.endswith("/")):
            return
        folder, _, inner = folder.rpartition("/")
        name = f"{inner}/"
