"""What a declared command sees: PATH and LANG of whoever asked for the review, and folders of its own."""

from __future__ import annotations

import shutil
from contextlib import contextmanager
from typing import TYPE_CHECKING

from oskit.files import ensure_private_dir

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

INHERITED = ("PATH", "LANG")
"""The only variables of the caller that every command gets; declared `fingerprint.env` names come on top."""

_FOLDERS = {"HOME": "home", "TMPDIR": "tmp", "XDG_CACHE_HOME": "cache"}


def captured(environ: Mapping[str, str], declared: Iterable[str]) -> dict[str, str]:
    """Return what of an environment a Run may use: saved with it, since a worker has another one."""
    return {name: environ[name] for name in (*INHERITED, *declared) if name in environ}


@contextmanager
def private_environment(
    base: Path, given: Mapping[str, str], declared: Iterable[str]
) -> Iterator[dict[str, str]]:
    """Yield a complete environment with private folders below `base`, removed afterwards. StorageError."""
    try:
        yield make_private(base, given, declared)
    finally:
        remove_private(base)


def make_private(base: Path, given: Mapping[str, str], declared: Iterable[str]) -> dict[str, str]:
    """Make private folders below `base` and return the complete environment that names them. StorageError."""
    places = {name: str(ensure_private_dir(base / folder)) for name, folder in _FOLDERS.items()}
    return {name: given[name] for name in (*INHERITED, *declared) if name in given} | places


def remove_private(base: Path) -> None:
    """Remove the private folders with whatever is in them."""
    shutil.rmtree(base, ignore_errors=True)
