"""Identity, limitations, ledger and environment."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from codevetter_verify.render.report.markup import Markup, join, tag

if TYPE_CHECKING:
    from codevetter_verify.models import LedgerEntry, ReceiptSource, TrexPreviewReceipt

LEDGER_WORDS = {
    "exercised": "exercised",
    "not_run": "planned, not seen",
    "not_mapped": "no page found",
    "dynamic": "dynamic route",
    "deleted": "deleted",
    "non_ui": "not user interface",
    "over_bound": "over the bound",
}
_STATUS_WORDS = {
    "verified": "verified to be of this change",
    "claimed": "claimed, not verified",
    "mismatch": "of another revision",
    "unavailable": "not identified",
}


def identity(receipt: TrexPreviewReceipt) -> Markup:
    """What was compared with what."""
    preview = receipt.preview
    preview_rows = _rows(
        ("Address", _code(preview.requested_url)),
        ("Answered at", _code(preview.final_url) if preview.final_url != preview.requested_url else None),
        ("Status", str(preview.http_status) if preview.http_status is not None else None),
        ("Identity", join(_badge(preview.status), f" {_STATUS_WORDS[preview.status]}")),
        ("Revision", _code(preview.revision)),
        ("Evidence", preview.evidence),
    )
    return tag(
        "section",
        tag("h2", "Identity"),
        tag(
            "div",
            tag("div", tag("h3", "Change"), _change(receipt.source), class_="card"),
            tag("div", tag("h3", "Preview"), preview_rows, class_="card"),
            class_="pair",
        ),
    )


def _change(source: ReceiptSource) -> Markup:
    return _rows(
        ("Source", join(_code(source.input), f" ({source.kind.replace('_', ' ')})")),
        ("Head", _code(source.head_sha) or "not resolved"),
        ("Base", _code(source.base_sha)),
        ("Merge base", _code(source.merge_base_sha)),
        ("Commits", _number(source.commit_count)),
        ("Changed paths", _number(source.changed_path_count)),
    )


def limitations(receipt: TrexPreviewReceipt) -> Markup | None:
    """What a reader must know before relying on the verdict."""
    if not receipt.limitations:
        return None
    items = [tag("li", text) for text in receipt.limitations]
    return tag("section", tag("h2", "Limits"), tag("ul", *items, class_="limits"))


def ledger(receipt: TrexPreviewReceipt) -> Markup | None:
    """What became of every changed path."""
    if not receipt.ledger:
        return None
    head = tag("tr", *(tag("th", word, scope="col") for word in ("Path", "Outcome", "Route", "Reason")))
    table = tag(
        "table",
        tag("caption", _tally(receipt)),
        tag("thead", head),
        tag("tbody", *map(_entry, receipt.ledger)),
    )
    return tag("section", tag("h2", "Coverage of the change"), table)


def _tally(receipt: TrexPreviewReceipt) -> str:
    counted = Counter(entry.outcome for entry in receipt.ledger)
    shown = ", ".join(f"{count} {LEDGER_WORDS[outcome]}" for outcome, count in counted.most_common())
    whole = receipt.source.changed_path_count
    if whole is None or whole <= len(receipt.ledger):
        return shown
    return f"{shown}; {len(receipt.ledger)} of {whole} paths are listed"


def _entry(entry: LedgerEntry) -> Markup:
    return tag(
        "tr",
        tag("td", _code(entry.path), data_label="Path"),
        tag("td", LEDGER_WORDS[entry.outcome], data_label="Outcome", class_=f"is-{entry.outcome}"),
        tag("td", _code(entry.route), data_label="Route"),
        tag("td", entry.reason, data_label="Reason"),
    )


def environment(receipt: TrexPreviewReceipt, digest: str) -> Markup:
    """What the visit was made with, and how to check this report."""
    used = receipt.environment
    browser = f"{used.browser} {used.browser_version or ''}".strip() if used and used.browser else None
    rows = _rows(
        ("Run", _code(receipt.run_id)),
        ("Ran at", f"{receipt.ran_at}, for {receipt.duration_ms / 1000:.1f} s"),
        ("Repository", _code(receipt.repo_path)),
        ("Causes", ", ".join(receipt.causes) or None),
        ("Worth a retry", "yes" if receipt.retryable else None),
        ("codevetter", used.tool_version if used else None),
        ("Browser", browser),
        ("Sandbox", ("on" if used.sandbox else "off") if used and used.sandbox is not None else None),
        ("Playwright", used.playwright_version if used else None),
        ("Machine", used.platform if used else None),
        ("Receipt SHA-256", _code(digest)),
    )
    reader = _code(f"codevetter receipts show {receipt.run_id}")
    check = join("This page repeats a receipt; ", reader, " reads it.")
    return tag("section", tag("h2", "Run"), tag("div", rows, tag("p", check, class_="quiet"), class_="card"))


def _rows(*pairs: tuple[str, str | Markup | None]) -> Markup:
    kept = [join(tag("dt", name), tag("dd", value)) for name, value in pairs if value]
    return tag("dl", *kept)


def _badge(text: str) -> Markup:
    return tag("span", text, class_=f"badge is-{text}")


def _code(text: str | None) -> Markup | None:
    return tag("code", text) if text else None


def _number(value: int | None) -> str | None:
    return None if value is None else str(value)
