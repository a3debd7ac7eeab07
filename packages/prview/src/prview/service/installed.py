"""What is installed where a review looks for programs and packages, as one digest.

A review is the same as an earlier one only while it would run the same programs with the same packages. What
is looked at: the programs of checks, on PATH and in the folders of the project, and what package managers say
that they installed, and the settings of cargo, rustfmt and go for all projects of a user. An installed file
that somebody edited in place is not seen.
"""

from __future__ import annotations

import hashlib
import os
import posixpath
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from oskit.process import find_program
from prview.checks.go.golang import go_settings
from prview.checks.js.modules import MODULES, RECORDS
from prview.checks.linked import stamp
from prview.checks.registry import CHECKS
from prview.checks.rust.cargo import toolchains
from prview.checks.tools import PROJECT_FOLDERS, find_installed

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

_ENVIRONMENTS = (".venv", "venv")
_INSTALLED = (".dist-info", ".egg-info", ".egg-link", ".pth")
_RUNTIMES = ("python3", "node", "pytest", "rustc", "gofmt")


def installed_digest(checkouts: Sequence[Path], changed: Iterable[str]) -> str:
    """The digest of what a review of the `changed` files may use. Reads names and times, no contents."""
    digest = hashlib.sha256()
    for text in (toolchains(), go_settings(), *_programs(), *_of_projects(checkouts, changed)):
        digest.update(os.fsencode(f"{text}\0"))
    return digest.hexdigest()


def _programs() -> Iterator[str]:
    names = {str(name) for check in CHECKS if (name := getattr(check, "program", None))}
    for name in sorted({*names, *_RUNTIMES}):
        tool = find_installed(name)
        program = find_program(name) if tool is None else os.fspath(tool.program)
        if program:
            yield f"{name} {Path(program).resolve()} {stamp(Path(program))}"


def _of_projects(checkouts: Sequence[Path], changed: Iterable[str]) -> Iterator[str]:
    folders = sorted(
        {os.fspath(parent) for path in changed for parent in PurePosixPath(path).parents} | {"."}
    )
    for checkout in checkouts:
        for folder in folders:
            place = checkout / folder
            for name in PROJECT_FOLDERS:
                yield from _entries(place / name, f"{folder}/{name}")
            for name in RECORDS:
                yield f"{folder} {name} {stamp(place / MODULES / name)}"
            yield from _entries(place / MODULES, folder, below="package.json")
            for name in _ENVIRONMENTS:
                for packages in sorted((place / name).glob("lib/python3*/site-packages")):
                    yield from _entries(
                        packages, folder, ends=(".dist-info", ".egg-info", ".egg-link", ".pth")
                    )


def _entries(folder: Path, name: str, *, below: str = "", ends: tuple[str, ...] = ("",)) -> Iterator[str]:
    """What lies in a folder, each with the stamp of itself or of a file in it."""
    try:
        found = sorted(entry.name for entry in os.scandir(folder) if entry.name.endswith(ends))
    except OSError:
        return
    for entry in found:
        if not (below and entry.startswith(".")):
            yield f"{posixpath.join(name, entry)} {stamp(folder / entry / below)}"
        if below and entry.startswith("@"):
            yield from _entries(folder / entry, f"{name}/{entry}", below=below)
