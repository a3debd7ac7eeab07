"""Writing a pack: every file beside its final place, then a manifest, a seal, and one rename."""

from __future__ import annotations

import hashlib
import secrets
from typing import TYPE_CHECKING

from oskit.files import atomic_write, translated
from prview.domain.gate import SARIF_PATH
from prview.domain.sarif_reading import read_sarif
from prview.models.gate import MergeGate
from prview.models.records import Manifest, ManifestEntry, RunRecord, Sanity
from prview.store.documents import document, read_document
from prview.store.paths import FAILED, GATE, MANIFEST, RUN, RUNNING, SANITY, STDERR_LOG

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from prview.store.run_folder import RunFolder

_OUTSIDE = frozenset({RUNNING, FAILED, MANIFEST, SANITY, STDERR_LOG})
"""Not in the manifest: markers, itself and its seal, and a log that another process still writes."""


def publish(folder: RunFolder, files: Mapping[str, bytes]) -> Path:
    """Write `files` (pack-relative path to content), seal them, and make them the branch's newest pack.

    Returns the pack's folder. Until the rename no reader takes the run for completed. Raises StorageError,
    and RuntimeError when a document of ours does not read back: then nothing is published.
    """
    for name, content in files.items():
        target = folder.path / name
        with translated(target, "write"):
            target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        atomic_write(target, content)
    manifest = document(_manifest(folder))
    atomic_write(folder.path / MANIFEST, manifest)
    seal = Sanity(
        run_id=folder.run_id,
        manifest_sha256=hashlib.sha256(manifest).hexdigest(),
        validated=_validated(folder.path),
    )
    atomic_write(folder.path / SANITY, document(seal))
    return _rename(folder)


def _manifest(folder: RunFolder) -> Manifest:
    paths = sorted(path for path in folder.path.rglob("*") if path.is_file() and not path.is_symlink())
    entries = [_entry(path, path.relative_to(folder.path).as_posix()) for path in paths]
    return Manifest(
        run_id=folder.run_id, files=tuple(entry for entry in entries if entry.path not in _OUTSIDE)
    )


def _entry(path: Path, name: str) -> ManifestEntry:
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    return ManifestEntry(path=name, sha256=digest, size=path.stat().st_size)


def _validated(root: Path) -> tuple[str, ...]:
    """Read back what readers will rely on."""
    if read_document(root / RUN, RunRecord) is None or read_document(root / GATE, MergeGate) is None:
        raise RuntimeError("the pack's own records do not read back")
    read_sarif((root / SARIF_PATH).read_bytes())
    return (RUN, GATE, SARIF_PATH)


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
