"""Files kept beside receipts, one folder a run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from codevetter_verify.models import Artifact
from codevetter_verify.store.database import translated
from mcpkit.canonical import sha256_hex
from oskit.files import atomic_write, ensure_private_dir

if TYPE_CHECKING:
    from pathlib import Path


def save(
    home: Path, run_id: str, name: str, data: bytes, *, kind: Literal["screenshot", "source"]
) -> Artifact:
    """Keep `data` and return what a receipt says of it; raises `StorageFailedError`."""
    relative = f"artifacts/{run_id}/{name}"
    path = home / relative
    with translated(path):
        ensure_private_dir(path.parent)
        atomic_write(path, data)
    return Artifact(kind=kind, path=relative, sha256=sha256_hex(data), bytes=len(data))
