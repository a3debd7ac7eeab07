"""Where a Python project's dependencies are: type checkers of an exported tree look them up there."""

from __future__ import annotations

import hashlib
import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from prview.checks.environments import managed_environment
from prview.checks.linked import linked_stamps
from prview.checks.tools import find_own

if TYPE_CHECKING:
    from collections.abc import Sequence

    from prview.checks.base import CheckContext

_SOURCES = (".py", ".pyi", "py.typed")
_MAX_PATH_FILE = 64 * 1024


@dataclass(frozen=True)
class PythonEnvironment:
    """The project's interpreter, and the folders that its packages are installed in."""

    python: Path

    @property
    def prefix(self) -> Path:
        """The folder of the environment."""
        return self.python.parent.parent

    @property
    def packages(self) -> tuple[Path, ...]:
        """Its site-packages."""
        return tuple(sorted(self.prefix.glob("lib/python3*/site-packages")))

    def digest(self, checkouts: Sequence[Path]) -> str:
        """Changes when a package is installed, removed or upgraded: names and times of what lies there.

        Of folders that an editable install put on the path, the sources: they change without an installation.
        Not of those in the `checkouts`: there the tree of the commit stands in for them.
        """
        parts = [os.fspath(self.prefix)]
        for folder in self.packages:
            with os.scandir(folder) as entries:
                parts += sorted(f"{entry.name} {entry.stat().st_mtime_ns}" for entry in entries)
        for entry in self._path_entries():
            if any(Path(entry).is_relative_to(checkout) for checkout in checkouts):
                continue
            parts += linked_stamps(Path(entry), ends=_SOURCES)
        return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogateescape")).hexdigest()

    def editable(self, checkouts: Sequence[Path]) -> tuple[str, ...]:
        """Folders of the checkout that an editable install puts on the path, relative to the checkout.

        They would answer for the reviewed commit with whatever the work tree holds right now.
        """
        found: dict[str, None] = {}
        for entry in self._path_entries():
            for checkout in checkouts:
                if Path(entry).is_relative_to(checkout):
                    found.setdefault(Path(entry).relative_to(checkout).as_posix())
        return tuple(found)

    def _path_entries(self) -> list[str]:
        """The folders that `.pth` files add to the path."""
        files = [file for folder in self.packages for file in sorted(folder.glob("*.pth"))]
        lines = [line for file in files for line in _lines(file)]
        return [line for line in lines if os.path.isabs(line)]  # noqa: PTH117 - text, and often none


async def python_environment(context: CheckContext, folder: str) -> PythonEnvironment | None:
    """The environment of the project in `folder`, or None when it has none on this machine."""
    for name in ("python", "python3"):
        own = find_own(name, context.checkouts, folder=folder)
        if own:
            return PythonEnvironment(own.program)
    managed = await managed_environment(context, folder)
    return PythonEnvironment(managed / "bin" / "python") if managed else None


def _lines(path: Path) -> list[str]:
    try:
        with path.open("rb") as file:
            return file.read(_MAX_PATH_FILE).decode("utf-8", "surrogateescape").splitlines()
    except OSError:
        return []
