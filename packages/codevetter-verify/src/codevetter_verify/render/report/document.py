"""The whole document: head, verdict, sections."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

from codevetter_verify.render.report import facts, routes
from codevetter_verify.render.report.markup import Markup, join, tag

if TYPE_CHECKING:
    from collections.abc import Mapping

    from codevetter_verify.models import TrexPreviewReceipt

VERDICTS = {
    "passed_with_limits": ("good", "Passed, with limits"),
    "failed": ("bad", "Failed"),
    "no_confidence": ("unsure", "No confidence"),
}
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
"""Text of a page cannot become a request or a script, whatever escapes us."""


@dataclass(frozen=True, slots=True)
class Picture:
    """A screenshot's bytes, or why it cannot be shown."""

    jpeg: bytes = b""
    problem: str | None = None


def render_report(receipt: TrexPreviewReceipt, *, digest: str, pictures: Mapping[str, Picture]) -> str:
    """The report. `digest` is the receipt's SHA-256, `pictures` are by the path the receipt names."""
    title = f"{VERDICTS[receipt.verdict][1]}: {receipt.source.input}"
    head = tag(
        "head",
        tag("meta", charset="utf-8"),
        tag("meta", http_equiv="Content-Security-Policy", content=_POLICY),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("meta", name="color-scheme", content="light dark"),
        tag("meta", name="referrer", content="no-referrer"),
        tag("title", title),
        Markup(f"<style>{_style()}</style>"),
    )
    body = tag(
        "body",
        _verdict(receipt),
        tag(
            "main",
            facts.identity(receipt),
            routes.section(receipt, pictures),
            facts.limitations(receipt),
            facts.ledger(receipt),
            facts.environment(receipt, digest),
        ),
    )
    return f"<!doctype html>\n{tag('html', join(head, body), lang='en')}\n"


def _verdict(receipt: TrexPreviewReceipt) -> Markup:
    mood, words = VERDICTS[receipt.verdict]
    counts = _counts(receipt)
    return tag(
        "header",
        tag("p", "T-Rex change preview", class_="kicker"),
        tag("h1", words),
        tag("p", receipt.summary, class_="summary"),
        tag("p", counts, class_="counts") if counts else None,
        class_=f"verdict {mood}",
    )


def _counts(receipt: TrexPreviewReceipt) -> str:
    outcomes = [journey.outcome for journey in receipt.journeys]
    said = [
        f"{outcomes.count(outcome)} {outcome}"
        for outcome in ("passed", "failed", "inconclusive")
        if outcome in outcomes
    ]
    unseen = len(receipt.routes) - len(receipt.journeys)
    return " · ".join([*said, *([f"{unseen} not visited"] if unseen > 0 else [])])


@cache
def _style() -> str:
    return files("codevetter_verify.render.report").joinpath("report.css").read_text("utf-8")
