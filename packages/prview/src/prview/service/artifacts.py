"""One file of a run, page by page. Nothing outside of the run's folder is ever looked at."""

from __future__ import annotations

import hashlib
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from anyio import to_thread

from mcpkit.paging import Binding, line_page
from oskit.files import StorageError, read_bounded
from prview.errors import ArtifactMissingError, RunNotFoundError
from prview.models.results import ReadArtifactResult
from prview.service.findings import require_completed
from prview.service.opening import open_repo
from prview.store.paths import LOGS
from prview.store.runs import find_run

if TYPE_CHECKING:
    from prview.models.requests import ReadArtifactRequest
    from prview.service.settings import Settings
    from prview.store.runs import StoredRun

MAX_LINES = 5000
MAX_ARTIFACT = 256 * 1024 * 1024
"""Bytes of an artifact that is read."""


async def read_artifact(settings: Settings, request: ReadArtifactRequest) -> ReadArtifactResult:
    """Answer `read_artifact`."""
    opened = await open_repo(settings, request.repo)
    run = find_run(opened.runs, request.run_id)
    if run is None:
        raise RunNotFoundError(
            f"no run {request.run_id!r} of this repository",
            hint="review it first: `prview`, or run_review for an agent",
        )
    if str(PurePosixPath(request.artifact)) not in LOGS:
        require_completed(run)
    text = await to_thread.run_sync(_text, run, request.artifact)
    digest = hashlib.sha256(text.encode()).hexdigest()
    binding = Binding("read_artifact", {"run_id": run.run_id, "artifact": request.artifact}, digest)
    limit = min(max(request.limit, 1), MAX_LINES)
    page = line_page(text, binding=binding, cursor=request.cursor, limit=limit)
    return ReadArtifactResult(
        content=page.content, total_lines=page.total_lines, next_cursor=page.next_cursor
    )


def _text(run: StoredRun, artifact: str) -> str:
    """The artifact as text. Every reason not to return it reads the same: what lies outside stays unknown."""
    missing = ArtifactMissingError(
        f"no readable text artifact {artifact!r} in the run {run.run_id}",
        hint="AI_INDEX.md lists what a pack has",
        run_id=run.run_id,
    )
    name = PurePosixPath(artifact)
    if name.is_absolute() or ".." in name.parts or not name.parts or "\0" in artifact:
        raise missing
    root = run.folder.resolve()
    path = Path(root, *name.parts)
    try:
        if not path.resolve(strict=True).is_relative_to(root):
            raise missing
        # a program may have written any byte to a log, and a log is always readable
        return read_bounded(path, MAX_ARTIFACT).decode("utf-8", "replace" if str(name) in LOGS else "strict")
    except (StorageError, OSError, UnicodeError, RuntimeError):
        raise missing from None
