"""HOME, TMPDIR and a cache folder for each execution, handed on only while nothing was ever in them."""

from __future__ import annotations

import os
import shutil
from dataclasses import dataclass
from typing import TYPE_CHECKING

from artifactize.execution.environment import INHERITED
from oskit.files import ensure_private_dir

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

_PLACES = {"HOME": "home", "TMPDIR": "tmp", "XDG_CACHE_HOME": "cache"}
_PREFIX = "private-"


@dataclass(frozen=True, slots=True)
class Private:
    """The folders of one execution, and how they looked when they were made."""

    base: Path
    variables: Mapping[str, str]
    looks: tuple[tuple[int, ...], ...]

    def environment(self, given: Mapping[str, str], declared: Iterable[str]) -> dict[str, str]:
        """Return a complete environment with these folders in it."""
        return {name: given[name] for name in (*INHERITED, *declared) if name in given} | dict(self.variables)

    def is_untouched(self) -> bool:
        """Whether the folders are as they were made: an execution that gets them cannot tell."""
        try:
            return _looks(self.base, self.variables) == self.looks and not any(
                os.listdir(place)  # noqa: PTH208 - names are enough, after each execution
                for place in self.variables.values()
            )
        except OSError:
            return False


class PrivateFolders:
    """The private folders of one Run's executions, below the Run's folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._free: list[Private] = []
        self._made = 0

    def take(self) -> Private:
        """Return folders that nobody else has and nothing was ever in. Raises StorageError."""
        return self._free.pop() if self._free else self._make()

    def give_back(self, private: Private) -> None:
        """Hand the folders on if they are untouched; else remove them with whatever is in them."""
        if private.is_untouched():
            self._free.append(private)
        else:
            shutil.rmtree(private.base, ignore_errors=True)

    def _make(self) -> Private:
        self._made += 1
        base = self._folder / f"{_PREFIX}{os.getpid()}-{self._made}"
        variables = {name: str(ensure_private_dir(base / place)) for name, place in _PLACES.items()}
        return Private(base, variables, _looks(base, variables))


def remove_private_folders(folder: Path) -> None:
    """Remove every private folder of a Run, also those that a killed worker left."""
    for base in folder.glob(f"{_PREFIX}*"):
        shutil.rmtree(base, ignore_errors=True)


def _looks(base: Path, variables: Mapping[str, str]) -> tuple[tuple[int, ...], ...]:
    found = [os.lstat(place) for place in (str(base), *variables.values())]
    # the time of the last change moves with content, mode, owner and attributes
    return tuple(
        (each.st_ino, each.st_mode, each.st_uid, each.st_mtime_ns, each.st_ctime_ns) for each in found
    )
