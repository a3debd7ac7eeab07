"""A receipt, and the list of them, as text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mcpkit.text import escape_untrusted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from codevetter_verify.models import Journey, ReceiptLine, ReceiptList, TrexPreviewReceipt

_MARKS = {"passed": "pass", "failed": "FAIL", "inconclusive": "?   "}


def render_receipt(receipt: TrexPreviewReceipt) -> str:
    """The verdict first, then what it rests on."""
    return escape_untrusted("\n".join(_lines(receipt)))


def _lines(receipt: TrexPreviewReceipt) -> Iterator[str]:
    preview, source = receipt.preview, receipt.source
    yield receipt.verdict
    yield f"  {receipt.summary}"
    head = (source.head_sha or "unresolved")[:12]
    yield f"change   {source.input}  head {head}  ({source.changed_path_count or 0} paths)"
    yield f"preview  {preview.requested_url}  {preview.status}: {preview.evidence}"
    for journey in receipt.journeys:
        yield from _journey(journey)
    yield "limits"
    for limitation in receipt.limitations:
        yield f"  - {limitation}"
    yield f"receipt  {receipt.run_id}  ({receipt.duration_ms / 1000:.1f} s)"


def _journey(journey: Journey) -> Iterator[str]:
    status = journey.trace.http_status or "---"
    yield f"  {_MARKS[journey.outcome]}  {status}  {journey.route}  {journey.duration_ms} ms"
    if journey.error:
        yield f"        {journey.error}"
    if journey.screenshot_path:
        yield f"        screenshot: {journey.screenshot_path}"


def render_list(found: ReceiptList) -> str:
    """One line a receipt."""
    if not found.receipts:
        return "no receipts are stored"
    return escape_untrusted("\n".join(map(_row, found.receipts)))


def _row(line: ReceiptLine) -> str:
    verdict = "UNREADABLE" if line.problem else line.verdict
    return f"{line.run_id}  {line.ran_at[:19]}  {verdict:<18}  {line.problem or line.summary}"
