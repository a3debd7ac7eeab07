"""Files kept beside receipts, one folder a run."""

from __future__ import annotations

import re
import shutil
from contextlib import suppress
from typing import TYPE_CHECKING, Literal

from codevetter_verify.models import Artifact
from codevetter_verify.store.database import translated
from mcpkit.canonical import sha256_hex
from oskit.files import atomic_write, ensure_private_dir

if TYPE_CHECKING:
    from pathlib import Path

_RUN_ID = re.compile(r"trex-preview-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")


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


def remove(home: Path, run_id: str) -> None:
    """Remove the folder of a run; raises `StorageFailedError`.

    An id that is no run's of ours (somebody wrote into the database) names no folder.
    """
    if not _RUN_ID.fullmatch(run_id):
        return
    folder = home / "artifacts" / run_id
    with translated(folder), suppress(FileNotFoundError):
        shutil.rmtree(folder)  # refuses a link in the folder's place
