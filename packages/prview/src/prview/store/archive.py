"""The pack as one file to pass on: the same files give the same bytes."""

from __future__ import annotations

import zipfile
from typing import TYPE_CHECKING

from oskit.files import translated

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

_EPOCH = (1980, 1, 1, 0, 0, 0)
"""The earliest time that a ZIP file knows; when a file was written says nothing."""

_MODE = 0o100600 << 16
_FAST = 1
"""Compression: patches shrink to a fifth at the least effort, and to a sixth at the most."""


def write_archive(target: Path, root: Path, names: Sequence[str]) -> None:
    """Put the files (pack-relative) into a ZIP file, sorted, without times. Raises StorageError."""
    with translated(target, "write"), zipfile.ZipFile(target, "w") as archive:
        for name in sorted(names):
            entry = zipfile.ZipInfo(name, _EPOCH)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = _MODE
            entry.create_system = 3  # Unix, whatever this machine is
            archive.writestr(entry, (root / name).read_bytes(), compresslevel=_FAST)
    target.chmod(0o600)


def check_archive(path: Path) -> None:
    """Read all of it. Raises RuntimeError naming what is damaged."""
    try:
        with translated(path, "read"), zipfile.ZipFile(path) as archive:
            damaged = archive.testzip()
    except zipfile.BadZipFile as exc:
        raise RuntimeError(f"{path} does not read back: {exc}") from exc
    if damaged is not None:
        raise RuntimeError(f"{path} does not read back: {damaged} is damaged")
