"""T-Rex: verify one change by visiting its preview. The one implementation behind every edge.

    source -> preview's identity -> routes -> journeys -> head again -> verdict -> stored receipt

Every outcome after input validation is a receipt, also a run that was cancelled, revoked or could not start a
browser.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

import anyio

from codevetter_verify.domain.findings import Findings
from codevetter_verify.domain.order import Order, accept
from codevetter_verify.domain.records import ActiveRun
from codevetter_verify.domain.redaction import masked
from codevetter_verify.domain.verdict import RunCause
from codevetter_verify.errors import NotEnabledError, RevokedError, RunEndedError, StorageFailedError
from codevetter_verify.service.auditing import audited
from codevetter_verify.service.closing import close_run
from codevetter_verify.service.permit import OwnersRun
from codevetter_verify.service.pull import known_hosts
from codevetter_verify.service.reaping import end_browser, reap
from codevetter_verify.service.run import Options, Run, Visitor
from codevetter_verify.service.scope import repository_at
from codevetter_verify.service.stages import STAGES, Stage, cause_of
from mcpkit.progress import report
from mcpkit.text import escape_untrusted
from oskit.clock import monotonic, now
from oskit.ids import uuid7
from oskit.process import ProcessIdentity

if TYPE_CHECKING:
    from collections.abc import Sequence

    from codevetter_verify.domain.records import Scope
    from codevetter_verify.models import TrexPreviewReceipt, VerifyChangePreviewRequest
    from codevetter_verify.service.permit import Permit
    from codevetter_verify.store.store import Store
    from oskit.git import Repository

logger = logging.getLogger(__name__)

GLANCE_S = 1.0
"""How often a waiting run asks whether it may go on; the contract's checkpoint is two seconds at most."""


async def execute_trex_preview(
    request: VerifyChangePreviewRequest,
    *,
    scope: Scope,
    store: Store,
    browser: Visitor,
    permit: Permit | None = None,
    options: Options | None = None,
) -> TrexPreviewReceipt:
    """Verify, and return the receipt as it was stored.

    Without a `permit` it is the owner's own run. Raises, before anything runs: `InvalidInputError`,
    `NotEnabledError`, `RevokedError`, `ScopeUnavailableError`, `RunInProgressError`, `StorageFailedError`. A
    cancelled run stores its receipt, then lets the cancellation through.
    """
    options = options or Options()
    if permit is not None:
        return await _execute(request, scope, store, browser, permit, options)

    async def owners() -> TrexPreviewReceipt:
        return await _execute(request, scope, store, browser, OwnersRun(), options)

    return await audited(owners, request=request, face="command", scope=scope, store=store)


async def _execute(
    request: VerifyChangePreviewRequest,
    scope: Scope,
    store: Store,
    browser: Visitor,
    permit: Permit,
    options: Options,
) -> TrexPreviewReceipt:
    order = accept(request, allowed_hosts=options.allowed_hosts, pull_hosts=known_hosts())
    await permit.check()
    repository = await repository_at(scope.path)
    await reap(store)
    run = _begin(order, scope, repository, store, browser, permit, options)
    dead = await store.claim_run(_claim(run))
    with anyio.CancelScope(shield=True):  # from here on a cancelled run has a receipt to leave
        for left in dead:
            await end_browser(left)
    return await _to_the_end(run)


def _claim(run: Run) -> ActiveRun:
    """What others are told of the run, and what is left of it when this process is killed."""
    order = run.findings.order
    return ActiveRun(
        run.run_id,
        run.scope.key,
        str(ProcessIdentity.current()),
        run.started_at,
        repo_path=escape_untrusted(run.scope.path),
        source_kind=order.selector.kind,
        source_input=order.selector.value,
        preview=masked(order.preview),
        face=run.permit.face,
    )


def _begin(
    order: Order,
    scope: Scope,
    repository: Repository,
    store: Store,
    browser: Visitor,
    permit: Permit,
    options: Options,
) -> Run:
    return Run(
        run_id=f"trex-preview-{uuid7()}",
        started_at=now(),
        started=monotonic(),
        scope=scope,
        repository=repository,
        findings=Findings(order),
        store=store,
        browser=browser,
        permit=permit,
        options=options,
    )


async def _to_the_end(run: Run) -> TrexPreviewReceipt:
    """Conduct the run and close it, whatever happens in between."""
    try:
        await _conduct(run)
    except anyio.get_cancelled_exc_class():
        run.findings.end(RunCause.CANCELLED, "the run was cancelled before it was complete")
        await _closed(run)
        raise
    except Exception as exc:
        # the edge of a run: the receipt says that it is worth nothing, the log says why
        logger.exception("run %s failed", run.run_id)
        run.findings.end(RunCause.INTERNAL_ERROR, f"the run failed inside T-Rex: {type(exc).__name__}")
    return await _closed(run)


async def _closed(run: Run) -> TrexPreviewReceipt:
    """Close the run even when we are being cancelled: what was seen is kept."""
    with anyio.CancelScope(shield=True):
        receipt = await close_run(run)
    return receipt  # noqa: RET504 - a return inside would look as if the scope could swallow it


async def _conduct(run: Run) -> None:
    """The stages, within the run's deadline and while the permit holds."""
    with anyio.move_on_after(run.options.run_deadline_s + run.options.wait_s) as deadline:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(_watch_permit, run, tasks.cancel_scope)
            await _stages(run, STAGES)
            tasks.cancel_scope.cancel()
    if deadline.cancelled_caught:
        words = f"the run was ended by its deadline of {run.options.run_deadline_s:g} s"
        run.findings.end(RunCause.RUN_DEADLINE, words)


async def _stages(run: Run, stages: Sequence[Stage]) -> None:
    for number, stage in enumerate(stages):
        await report(number, len(stages), stage.title)
        try:
            await run.store.note_stage(run.run_id, stage.title, at=now())
            await run.permit.check()
            await stage.act(run)
        except (NotEnabledError, RevokedError) as exc:
            run.findings.end(RunCause.REVOKED, exc.message)
        except StorageFailedError as exc:
            run.findings.end(RunCause.PERSISTENCE_FAILED, f"the store failed during the run: {exc.message}")
        except RunEndedError as exc:
            run.findings.end(cause_of(exc), str(exc))
        if run.findings.causes:
            return
    await report(len(stages), len(stages), "done")


async def _watch_permit(run: Run, whole: anyio.CancelScope) -> None:
    """End the run when its permission ends while it waits for a preview or a page."""
    while True:
        await anyio.sleep(GLANCE_S)
        try:
            await run.permit.glance()
        except (NotEnabledError, RevokedError) as exc:
            run.findings.end(RunCause.REVOKED, exc.message)
        except StorageFailedError as exc:
            run.findings.end(RunCause.PERSISTENCE_FAILED, f"the permission could not be read: {exc.message}")
        if run.findings.causes:
            whole.cancel()
            return
