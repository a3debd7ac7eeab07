"""The end of a run: the receipt is made, kept, and the repository is free again."""

from __future__ import annotations

import logging
import platform
from typing import TYPE_CHECKING

from codevetter_verify import __version__
from codevetter_verify.domain.receipt import RunFacts, assemble, fits, shorten
from codevetter_verify.domain.verdict import RunCause
from codevetter_verify.errors import StorageFailedError
from mcpkit.canonical import canonical_json
from mcpkit.text import escape_untrusted
from oskit.clock import monotonic, rfc3339
from oskit.process import ProcessIdentity

if TYPE_CHECKING:
    from codevetter_verify.models import Artifact, TrexPreviewReceipt
    from codevetter_verify.service.run import Run

logger = logging.getLogger(__name__)


async def close_run(run: Run) -> TrexPreviewReceipt:
    """Return the receipt as it was stored.

    When it could not be, a receipt that says so and trusts nothing.
    """
    _check_cleanup(run)
    try:
        receipt = await _receipt(run)
        await run.store.finish_run(receipt, run.scope.key)
    except StorageFailedError as exc:
        run.findings.end(RunCause.PERSISTENCE_FAILED, f"the receipt could not be stored: {exc.message}")
        await _release(run)
        return shorten(assemble(run.findings, _facts(run)))
    return receipt


async def _release(run: Run) -> None:
    try:
        await run.store.release_run(run.run_id)
    except StorageFailedError:
        logger.warning("run %s could not be released; it is reclaimed when this process ends", run.run_id)


async def _receipt(run: Run) -> TrexPreviewReceipt:
    """The receipt, fit for every wire; what had to be cut from it lies whole beside it."""
    receipt = assemble(run.findings, _facts(run))
    if fits(receipt):
        return receipt
    whole = canonical_json({"source": receipt.source, "ledger": receipt.ledger})
    kept: Artifact = await run.store.save_artifact(run.run_id, "source.json", whole, kind="source")
    return shorten(assemble(run.findings, _facts(run), artifacts=(kept,)))


def _check_cleanup(run: Run) -> None:
    """Also for runs that were cut short, whose browser could not report."""
    if run.browser_identity and ProcessIdentity.parse(run.browser_identity).is_alive():
        run.findings.end(RunCause.CLEANUP_FAILED, "the browser survived the run")


def _facts(run: Run) -> RunFacts:
    return RunFacts(
        run_id=run.run_id,
        repo_path=escape_untrusted(run.scope.path),
        ran_at=rfc3339(run.started_at),
        duration_ms=round((monotonic() - run.started) * 1000),
        tool_version=__version__,
        platform=f"{platform.system()} {platform.machine()}, Python {platform.python_version()}",
    )
