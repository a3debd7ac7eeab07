"""Writing a pack: every file beside its final place, an archive, a manifest, a seal, and one rename."""

from __future__ import annotations

import hashlib
import os
import secrets
from concurrent.futures import ThreadPoolExecutor
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from oskit.files import atomic_write, translated
from prview.domain.gate import SARIF_PATH
from prview.domain.sarif_reading import read_sarif
from prview.models.gate import MergeGate
from prview.models.records import Manifest, ManifestEntry, RunRecord, Sanity
from prview.models.report import Report
from prview.store.archive import check_archive, write_archive
from prview.store.documents import document, read_document
from prview.store.paths import (
    ARCHIVE,
    FAILED,
    GATE,
    MANIFEST,
    REPORT,
    RUN,
    RUNNING,
    SANITY,
    STDERR_LOG,
)

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from prview.store.run_folder import RunFolder

_OUTSIDE = frozenset({RUNNING, FAILED, MANIFEST, SANITY, STDERR_LOG})
"""Not in the manifest: markers, itself and its seal, and a log that another process still writes."""

_SYNCING = 8
"""Files that are brought to the disk at once: a journal takes many in one go."""


def publish(folder: RunFolder, files: Mapping[str, bytes], *, archived: bool = True) -> Path:
    """Write `files` (pack-relative path to content), seal them, and make them the branch's newest pack.

    `archived` puts all of them into one more file, to be passed on.

    Returns the pack's folder. Until the rename no reader takes the run for completed, and all of it is on the
    disk by then. Raises StorageError, and RuntimeError when a document of ours does not read back: then
    nothing is published.
    """
    for name, content in files.items():
        _write(_inside(folder.path, name), content)
    packed = [name for name in _present(folder.path) if name not in _OUTSIDE]
    archive = [ARCHIVE] if archived else []
    if archived:
        write_archive(folder.path / ARCHIVE, folder.path, packed)
    _to_disk(folder.path, [*packed, *archive])
    gate = _read_back(folder.path, archived=archived)
    manifest = document(_manifest(folder, [*packed, *archive], masked=frozenset(gate.files.masked)))
    atomic_write(folder.path / MANIFEST, manifest)
    seal = Sanity(
        run_id=folder.run_id,
        manifest_sha256=hashlib.sha256(manifest).hexdigest(),
        validated=(RUN, GATE, REPORT, SARIF_PATH, *archive, MANIFEST),
    )
    atomic_write(folder.path / SANITY, document(seal))
    return _rename(folder)


def _inside(root: Path, name: str) -> Path:
    """Where a file goes; whoever names its documents after the repository's files must not get out."""
    path = PurePosixPath(name)
    if path.is_absolute() or ".." in path.parts or not path.parts:
        raise RuntimeError(f"{name!r} is no place in a pack")
    return root / path


def _write(target: Path, content: bytes) -> None:
    with translated(target, "write"):
        target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        descriptor = os.open(
            target, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600
        )
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)


def _present(root: Path) -> list[str]:
    found = (path for path in root.rglob("*") if path.is_file() and not path.is_symlink())
    return sorted(path.relative_to(root).as_posix() for path in found)


def _to_disk(root: Path, names: list[str]) -> None:
    """Wait until every file and folder would survive a loss of power."""
    folders = {(root / name).parent for name in names}
    with ThreadPoolExecutor(_SYNCING) as pool:
        list(pool.map(_sync, [root / name for name in names]))
        list(pool.map(_sync, [*folders, *{folder.parent for folder in folders}]))


def _sync(path: Path) -> None:
    with translated(path, "write"):
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def _manifest(folder: RunFolder, names: list[str], *, masked: frozenset[str]) -> Manifest:
    entries = (_entry(folder.path / name, name, masked=name in masked) for name in sorted(names))
    return Manifest(run_id=folder.run_id, files=tuple(entries))


def _entry(path: Path, name: str, *, masked: bool) -> ManifestEntry:
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    return ManifestEntry(path=name, sha256=digest, size=path.stat().st_size, masked=masked)


def _read_back(root: Path, *, archived: bool) -> MergeGate:
    """Read what readers will rely on, from the files and not from memory."""
    gate = read_document(root / GATE, MergeGate)
    if gate is None or read_document(root / RUN, RunRecord) is None:
        raise RuntimeError("the pack's own records do not read back")
    if read_document(root / REPORT, Report) is None:
        raise RuntimeError("the pack's report does not read back")
    read_sarif((root / SARIF_PATH).read_bytes())
    if archived:
        check_archive(root / ARCHIVE)
    return gate


def _rename(folder: RunFolder) -> Path:
    published = folder.branch.published(folder.run_id)
    with translated(published, "publish"):
        folder.path.rename(published)
        (published / RUNNING).unlink(missing_ok=True)  # means nothing in a sealed pack
        _point(folder.branch.latest, folder.run_id)
    return published


def _point(link: Path, name: str) -> None:
    """Replace a link in one step, so that it always points at a pack."""
    beside = link.with_name(f".latest.{secrets.token_hex(6)}")
    beside.symlink_to(name)
    beside.replace(link)
