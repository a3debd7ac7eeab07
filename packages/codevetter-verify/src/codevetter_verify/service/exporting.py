"""A receipt in the forms that others read."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from anyio import to_thread

from codevetter_verify.domain.attesting import to_statement
from codevetter_verify.errors import StorageFailedError
from codevetter_verify.models import Export
from codevetter_verify.service.reporting import page_of
from mcpkit.canonical import canonical_json, sha256_hex
from oskit.files import StorageError, atomic_write

if TYPE_CHECKING:
    from codevetter_verify.models import ExportFormat, ExportRequest, TrexPreviewReceipt
    from codevetter_verify.store.store import Store


async def export_receipt(request: ExportRequest, *, store: Store) -> Export:
    """The receipt, checked against its digest, as canonical JSON, as a page, or as an in-toto statement.

    Raises `ReceiptNotFoundError`, `StorageFailedError` and `NothingToAttestError`.
    """
    receipt = await store.receipt(request.run_id)
    document = canonical_json(receipt)
    content = await to_thread.run_sync(_rendered, request.format, receipt, document, store.home)
    path = await to_thread.run_sync(_write, request.output, content) if request.output else None
    return Export(
        run_id=receipt.run_id,
        format=request.format,
        sha256=sha256_hex(document),
        path=str(path) if path else None,
        content=None if path else content,
    )


def _rendered(form: ExportFormat, receipt: TrexPreviewReceipt, document: bytes, home: Path) -> str:
    if form == "html":
        return page_of(receipt, home)
    if form == "intoto":
        return canonical_json(to_statement(receipt, sha256_hex(document))).decode()
    return document.decode()


def _write(output: str, content: str) -> Path:
    path = Path(output).absolute()
    try:
        atomic_write(path, content)
    except StorageError as exc:
        raise StorageFailedError(exc.message, hint=exc.hint) from exc
    return path
