"""Reading what runs left."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codevetter_verify.models import ReceiptLine, ReceiptList
from codevetter_verify.service.reaping import reap
from codevetter_verify.service.scope import open_scope

if TYPE_CHECKING:
    from codevetter_verify.models import ReceiptRequest, ReceiptsRequest, TrexPreviewReceipt
    from codevetter_verify.store.store import Store


async def list_receipts(request: ReceiptsRequest, *, store: Store) -> ReceiptList:
    """The newest receipts, one line each; one that cannot be trusted says so.

    Runs whose process was killed get their receipts first.
    """
    await reap(store)
    key = (await open_scope(request.repo)).key if request.repo is not None else None
    found = await store.receipts(repo_key=key, limit=request.limit)
    return ReceiptList(
        receipts=tuple(
            ReceiptLine(
                run_id=row.run_id,
                ran_at=row.ran_at,
                verdict=row.verdict,
                repo_path=row.repo_path,
                head_sha=row.head_sha,
                summary=row.summary,
                problem=row.problem,
            )
            for row in found
        )
    )


async def show_receipt(request: ReceiptRequest, *, store: Store) -> TrexPreviewReceipt:
    """One receipt, checked against the digest it was stored with."""
    return await store.receipt(request.run_id)
