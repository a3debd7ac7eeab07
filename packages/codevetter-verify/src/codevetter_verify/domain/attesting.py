"""A receipt as an in-toto statement: what was tested is the head commit, what was learned is a test result.

Nothing but a verdict of passed becomes PASSED, so that a policy that asks for it is never met by a run
that was cut short.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from codevetter_verify.errors import NothingToAttestError
from mcpkit.attestation import Resource, TestOutcome, TestRun, test_result_statement

if TYPE_CHECKING:
    from pydantic import JsonValue

    from codevetter_verify.models import TrexPreviewReceipt

RECEIPT_MEDIA_TYPE = "application/vnd.codevetter.trex-preview-receipt.v1+json"
_RESULTS: dict[str, TestOutcome] = {
    "passed_with_limits": "PASSED",
    "failed": "FAILED",
    "no_confidence": "FAILED",
}


def to_statement(receipt: TrexPreviewReceipt, digest: str) -> dict[str, JsonValue]:
    """The statement; `digest` is the SHA-256 of the receipt's canonical JSON.

    Raises `NothingToAttestError` when the run never learned which commit it was about.
    """
    head = receipt.source.head_sha
    if head is None:
        raise NothingToAttestError(receipt.run_id)
    run = TestRun(
        result=_RESULTS[receipt.verdict],
        configuration=(_receipt(receipt, digest), _preview(receipt)),
        passed=_routes(receipt, "passed"),
        warned=_routes(receipt, "inconclusive"),
        failed=_routes(receipt, "failed"),
    )
    return test_result_statement((_head(receipt, head),), run)


def _head(receipt: TrexPreviewReceipt, head: str) -> Resource:
    name = receipt.source.input if receipt.source.kind == "pull_request" else ""
    return Resource(name=name, digest={"gitCommit": head})


def _receipt(receipt: TrexPreviewReceipt, digest: str) -> Resource:
    said: dict[str, JsonValue] = {
        "verdict": receipt.verdict,
        "summary": receipt.summary,
        "ranAt": receipt.ran_at,
        "causes": list(receipt.causes),
        "limitations": list(receipt.limitations),
    }
    return Resource(
        name=receipt.run_id, media_type=RECEIPT_MEDIA_TYPE, digest={"sha256": digest}, annotations=said
    )


def _preview(receipt: TrexPreviewReceipt) -> Resource:
    identity: dict[str, JsonValue] = {
        "identity": receipt.preview.status,
        "evidence": receipt.preview.evidence,
    }
    return Resource(name="preview", uri=receipt.preview.requested_url, annotations=identity)


def _routes(receipt: TrexPreviewReceipt, outcome: str) -> tuple[str, ...]:
    seen = {journey.route: str(journey.outcome) for journey in receipt.journeys}
    planned = (route.route for route in receipt.routes)
    return tuple(route for route in planned if seen.get(route, "inconclusive") == outcome)
