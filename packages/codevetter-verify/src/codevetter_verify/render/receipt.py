"""A receipt, and the list of them, as text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codevetter_verify.domain.counting import counted, sized
from mcpkit.text import escape_untrusted

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from codevetter_verify.models import (
        Journey,
        ReceiptLine,
        ReceiptList,
        ReceiptSource,
        TrexPreviewReceipt,
    )

_MARKS = {"passed": "pass", "failed": "FAIL", "inconclusive": "?   "}


def render_receipt(receipt: TrexPreviewReceipt, *, home: Path) -> str:
    """The verdict first, then what it rests on. `home` is where the files of receipts lie."""
    return escape_untrusted("\n".join(_lines(receipt, home)))


def _lines(receipt: TrexPreviewReceipt, home: Path) -> Iterator[str]:
    preview, source = receipt.preview, receipt.source
    yield receipt.verdict
    yield f"  {receipt.summary}"
    yield f"change   {source.input}{_change_facts(source)}"
    yield f"preview  {preview.requested_url}  {preview.status}: {preview.evidence}"
    for journey in receipt.journeys:
        yield from _journey(journey, home)
    # what the summary says already is not said twice
    limits = [limitation for limitation in receipt.limitations if limitation not in receipt.summary]
    yield from ["limits", *(f"  - {limitation}" for limitation in limits)] if limits else []
    if receipt.artifacts or any(journey.artifacts for journey in receipt.journeys):
        yield f"files    {home / 'artifacts' / receipt.run_id}"
    yield f"receipt  {receipt.run_id}  ({receipt.duration_ms / 1000:.1f} s)"


def _change_facts(source: ReceiptSource) -> str:
    """What the range was resolved to; nothing is said of what was not established."""
    if source.head_sha is None:
        return "  (not resolved)"
    count = source.changed_path_count
    paths = "" if count is None else f"  ({counted(count, 'path')})"
    return f"  head {source.head_sha[:12]}{paths}"


def _journey(journey: Journey, home: Path) -> Iterator[str]:
    status = journey.trace.http_status or "---"
    moved = journey.trace.transferred_bytes
    size = "" if moved is None else f"  {sized(moved)}"
    yield f"  {_MARKS[journey.outcome]}  {status}  {journey.route}  {journey.duration_ms} ms{size}"
    if journey.error:
        yield f"        {journey.error}"
    if journey.screenshot_path:
        yield f"        screenshot: {home / journey.screenshot_path}"


def render_list(found: ReceiptList) -> str:
    """One line a receipt."""
    if not found.receipts:
        return "no receipts are stored"
    return escape_untrusted("\n".join(map(_row, found.receipts)))


def _row(line: ReceiptLine) -> str:
    verdict = "UNREADABLE" if line.problem else line.verdict
    return f"{line.run_id}  {line.ran_at[:19]}  {verdict:<18}  {line.problem or line.summary}"
