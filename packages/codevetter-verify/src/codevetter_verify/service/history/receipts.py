"""Receipts, for reading."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from codevetter_verify.domain.receipt import shorten
from codevetter_verify.models import TrexPreviewReceipt
from codevetter_verify.models.history import HistoryReceipt, ReceiptGetResult, ReceiptsListResult
from codevetter_verify.service.history.access import current_head
from mcpkit.canonical import canonical_json, plain, sha256_hex
from mcpkit.paging import Binding, list_page
from oskit.clock import now, rfc3339

if TYPE_CHECKING:
    from pydantic import JsonValue

    from codevetter_verify.domain.records import IndexedReceipt, StoredReceipt
    from codevetter_verify.domain.veil import Veil
    from codevetter_verify.models.history import ReceiptGetRequest, ReceiptsListRequest
    from codevetter_verify.service.history.access import Archive

_MAX_SUMMARY = 240
_LIST_LIMITS = (
    "a receipt is about its own head and preview at its own time, and says nothing of other commits",
    "nothing was visited for this answer",
)
_GET_LIMITS = (
    *_LIST_LIMITS,
    "credentials and paths of this machine are masked: `sha256` is of the receipt as it is stored",
)


async def list_receipts(request: ReceiptsListRequest, *, archive: Archive) -> ReceiptsListResult:
    """A page of the repository's receipts, the newest first."""
    head = await current_head(await archive.opened())
    found = [row for row in await archive.store.index(repo_key=archive.scope.key) if _wanted(row, request)]
    ids = [row.run_id for row in found]
    page = list_page(
        ids,
        binding=Binding(
            "receipts_list",
            {"verdict": request.verdict, "head": request.head, "repo": archive.scope.repo_id},
            sha256_hex(canonical_json(ids)),
        ),
        cursor=request.cursor,
        limit=request.limit,
    )
    lines = await archive.store.lines(page.items)
    answer = ReceiptsListResult(
        as_of=rfc3339(now()),
        limits=_LIST_LIMITS,
        current_head=head,
        receipts=tuple(_line(row, head) for row in lines),
        total=page.total,
        next_cursor=page.next_cursor,
    )
    return archive.veiled(answer)


async def get_receipt(request: ReceiptGetRequest, *, archive: Archive) -> ReceiptGetResult:
    """One receipt, checked against its digest, masked."""
    head = await current_head(await archive.opened())
    stored, digest = await archive.store.receipt(request.run_id, repo_key=archive.scope.key)
    shown = shorten(_masked(stored, archive.veil))
    return ReceiptGetResult(
        as_of=rfc3339(now()),
        limits=_GET_LIMITS,
        run_id=stored.run_id,
        sha256=digest,
        of_current_head=head is not None and head == stored.source.head_sha,
        redacted=shown != stored,
        receipt=cast("dict[str, JsonValue]", plain(shown)),
    )


def _masked(receipt: TrexPreviewReceipt, veil: Veil) -> TrexPreviewReceipt:
    routes = {entry.route for entry in receipt.routes} | {entry.route for entry in receipt.journeys}
    knowing = veil.knowing(routes=routes, places=((receipt.repo_path, "<repository>"),))
    return TrexPreviewReceipt.model_validate(knowing.value(plain(receipt)))


def _wanted(row: IndexedReceipt, request: ReceiptsListRequest) -> bool:
    of_head = request.head is None or (row.head_sha or "").startswith(request.head)
    return of_head and request.verdict in (None, row.verdict)


def _line(row: StoredReceipt, head: str | None) -> HistoryReceipt:
    return HistoryReceipt(
        run_id=row.run_id,
        ran_at=row.ran_at,
        verdict=row.verdict,
        head_sha=row.head_sha,
        of_current_head=head is not None and head == row.head_sha,
        summary=row.summary if len(row.summary) <= _MAX_SUMMARY else f"{row.summary[: _MAX_SUMMARY - 1]}…",
        problem=row.problem,
    )
