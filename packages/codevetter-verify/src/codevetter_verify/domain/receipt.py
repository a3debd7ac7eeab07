"""Makes the receipt: one pure function from findings to the document, and what makes it fit a wire."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from codevetter_verify.domain.journeys import terse, to_journey
from codevetter_verify.domain.ledger import build_ledger
from codevetter_verify.domain.redaction import masked
from codevetter_verify.domain.verdict import RETRYABLE, decide
from codevetter_verify.domain.wording import limitations, summarize
from codevetter_verify.models import (
    Artifact,
    Environment,
    PlannedRoute,
    ReceiptPreview,
    ReceiptSource,
    TrexPreviewReceipt,
)
from mcpkit.canonical import compact_json

if TYPE_CHECKING:
    from codevetter_verify.domain.findings import Findings, Visited

OK_STATUS, ERROR_STATUS = 200, 400
WIRE_BYTES = 60 * 1024
"""What a receipt may take in an MCP result, which holds it twice: as structure and as text."""
SHORTENED = (
    "lists were shortened to fit; the counts are whole, and so are the lists in the artifact source.json"
)


@dataclass(frozen=True, slots=True)
class RunFacts:
    """What the receipt says about the run itself. `platform` and versions describe this machine."""

    run_id: str
    repo_path: str
    ran_at: str
    duration_ms: int
    tool_version: str
    platform: str


def assemble(
    findings: Findings, facts: RunFacts, *, artifacts: tuple[Artifact, ...] = ()
) -> TrexPreviewReceipt:
    """The receipt of what was found, whatever that is."""
    visited = [findings.visited[route] for route, _ in findings.plan.routes if route in findings.visited]
    outcomes = [v.judgement.outcome for v in visited]
    route_causes = [v.judgement.cause for v in visited if v.judgement.cause]
    causes = tuple(dict.fromkeys([*map(str, findings.causes), *map(str, route_causes)]))
    verdict = decide(outcomes, planned=len(findings.plan.routes), causes=causes)
    observed = {v.seen.route for v in visited if _showed_its_page(findings, v)}
    ledger = build_ledger(findings.plan.roles, observed)
    return TrexPreviewReceipt(
        run_id=facts.run_id,
        repo_path=facts.repo_path,
        source=_source(findings),
        preview=_preview(findings),
        routes=tuple(PlannedRoute(route=route, reason=reason) for route, reason in findings.plan.routes),
        journeys=tuple(to_journey(v, findings.redactor) for v in visited),
        verdict=verdict,
        summary=summarize(findings, verdict),
        limitations=limitations(findings, ledger),
        duration_ms=facts.duration_ms,
        ran_at=facts.ran_at,
        causes=causes,
        retryable=True if RETRYABLE & findings.causes.keys() else None,
        ledger=ledger,
        artifacts=artifacts,
        environment=_environment(findings, facts),
    )


def _showed_its_page(findings: Findings, visited: Visited) -> bool:
    """Whether the route answered with its own page, sound or broken.

    An error status, the framework's not-found page under a status of success, and another page that the
    route led to say nothing of the changed one.
    """
    seen = visited.seen
    if visited.judgement.outcome == "inconclusive" or seen.navigation is None or seen.state is None:
        return False
    requested = findings.base().for_route(seen.route).path
    stayed = urlsplit(seen.navigation.final_url).path.rstrip("/") == requested.rstrip("/")
    answered = OK_STATUS <= seen.navigation.status < ERROR_STATUS
    return answered and stayed and not seen.state.not_found_marker


def _source(findings: Findings) -> ReceiptSource:
    selector, change = findings.order.selector, findings.change
    if change is None:
        return ReceiptSource(kind=selector.kind, input=selector.value)
    return ReceiptSource(
        kind=selector.kind,
        input=selector.value,
        base_sha=change.base_sha,
        head_sha=change.head_sha,
        merge_base_sha=change.merge_base_sha,
        commits=change.commits,
        commit_count=len(change.commits),
        changed_paths=tuple(file.path for file in change.files),
        # of a reversed range no paths were compared: their number is not known to be 0
        changed_path_count=len(change.files) if change.commits else None,
    )


def _preview(findings: Findings) -> ReceiptPreview:
    probe, identity = findings.probe, findings.identity
    return ReceiptPreview(
        status=identity.status if identity else "unavailable",
        requested_url=masked(findings.order.preview),
        final_url=findings.redactor.url(probe.final.address) if probe else None,
        revision=identity.revision if identity else None,
        evidence=identity.evidence if identity else "the preview was not identified",
        http_status=probe.status if probe else None,
    )


def _environment(findings: Findings, facts: RunFacts) -> Environment:
    browser = findings.browser
    return Environment(
        tool_version=facts.tool_version,
        platform=facts.platform,
        playwright_version=browser.playwright_version if browser else None,
        browser=browser.browser if browser else None,
        browser_version=browser.browser_version if browser else None,
        sandbox=browser.sandbox if browser else None,
    )


def fits(receipt: TrexPreviewReceipt) -> bool:
    """Whether an MCP result can carry the receipt."""
    text = compact_json(receipt)
    return len(text.encode()) + len(json.dumps(text, ensure_ascii=False).encode()) <= WIRE_BYTES


def shorten(receipt: TrexPreviewReceipt) -> TrexPreviewReceipt:
    """The receipt with terser evidence and its lists halved until it fits.

    Counts stay whole and a limitation says so. The exercised paths stay in the ledger longest, since
    they are what the verdict stands on.
    """
    if fits(receipt):
        return receipt
    limits = (*receipt.limitations[:1], SHORTENED, *receipt.limitations[1:])[: len(receipt.limitations) or 1]
    journeys = tuple(map(terse, receipt.journeys))
    shortened = receipt.model_copy(update={"limitations": limits or (SHORTENED,), "journeys": journeys})
    keep = max(len(receipt.ledger), len(receipt.source.commits), 1)
    while not fits(shortened) and keep > 1:
        keep //= 2
        shortened = _cut(shortened, keep)
    return shortened


def _cut(receipt: TrexPreviewReceipt, keep: int) -> TrexPreviewReceipt:
    ledger = sorted(receipt.ledger, key=lambda entry: entry.outcome != "exercised")[:keep]
    source = receipt.source.model_copy(
        update={
            "commits": receipt.source.commits[-keep:],
            "changed_paths": receipt.source.changed_paths[:keep],
        }
    )
    return receipt.model_copy(update={"ledger": tuple(ledger), "source": source})
