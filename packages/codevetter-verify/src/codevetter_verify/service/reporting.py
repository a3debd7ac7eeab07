"""A receipt as an HTML page, with the pictures that were kept of its routes."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from anyio import to_thread

from codevetter_verify.errors import StorageFailedError
from codevetter_verify.models import Report
from codevetter_verify.render.report import Picture, render_report
from mcpkit.canonical import canonical_json, sha256_hex
from oskit.files import StorageError, atomic_write, ensure_private_dir, read_bounded

if TYPE_CHECKING:
    from codevetter_verify.models import Artifact, ReportRequest, TrexPreviewReceipt
    from codevetter_verify.store.store import Store

MAX_PICTURE = 8 * 1024 * 1024


async def write_report(request: ReportRequest, *, store: Store) -> Report:
    """Write the page and say where; raises `ReceiptNotFoundError` and `StorageFailedError`.

    A picture that is missing or is not the one the receipt names is left out, and the page says so.
    """
    receipt = await store.receipt(request.run_id)
    path = await to_thread.run_sync(_write, receipt, store.home, request.output)
    return Report(run_id=receipt.run_id, path=str(path))


def page_of(receipt: TrexPreviewReceipt, home: Path) -> str:
    """The page itself; `home` is where the pictures lie."""
    pictures = {
        kept.path: _picture(home, kept)
        for journey in receipt.journeys
        for kept in journey.artifacts
        if kept.kind == "screenshot"
    }
    return render_report(receipt, digest=sha256_hex(canonical_json(receipt)), pictures=pictures)


def _write(receipt: TrexPreviewReceipt, home: Path, output: str | None) -> Path:
    page = page_of(receipt, home)
    path = Path(output).absolute() if output else home / "artifacts" / receipt.run_id / "report.html"
    try:
        if not output:
            ensure_private_dir(path.parent)
        atomic_write(path, page)
    except StorageError as exc:
        raise StorageFailedError(exc.message, hint=exc.hint) from exc
    return path


def _picture(home: Path, kept: Artifact) -> Picture:
    path = home / kept.path
    if not path.resolve().is_relative_to((home / "artifacts").resolve()):
        return Picture(problem="the receipt names a file that is none of its own")
    try:
        data = read_bounded(path, MAX_PICTURE)
    except StorageError:
        return Picture(problem="the file is gone")
    if sha256_hex(data) != kept.sha256:
        return Picture(problem="the file was changed after the run")
    return Picture(data)
