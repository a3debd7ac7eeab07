"""The verification operations, bound to one workspace. Their docstrings are the tools' descriptions."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from artifactize.domain.ages import known_note
from artifactize.domain.modes import RunModes
from artifactize.domain.selection import Selection, SelectionKind
from artifactize.models.states import RunState
from artifactize.models.verification import (
    RunStatus,
    VerifyCancelRequest,
    VerifyResult,
    VerifyResultRequest,
    VerifyStartRequest,
    VerifyWaitRequest,
    VerifyWatchRequest,
)
from artifactize.service.finishing import cancel
from artifactize.service.observing import Seen, Watcher, follow, observe, wait, whole_result
from artifactize.service.projecting import findings, run_status, verify_result
from artifactize.service.submitting import Submission, submit
from artifactize.service.worker_care import WorkerCare
from artifactize.service.workspace import off_loop
from mcpkit.canonical import canonical_json, compact_json, sha256_hex
from mcpkit.paging import Binding, list_page
from mcpkit.progress import report
from oskit.clock import now

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from artifactize.models.verification import Finding, WatchEvent
    from artifactize.service.workspace import Workspace

Tell: TypeAlias = "Callable[[WatchEvent], Awaitable[None]]"
FINDINGS_A_PAGE = 20
_PAGE_BYTES = 48 * 1024
_NOTIFICATION_BYTES = 24 * 1024
_CANCEL_BOUND_S = 10.0


class Verification:
    """Submitting, observing and cancelling Runs. `workspace` is asked for when an operation needs it."""

    def __init__(self, workspace: Callable[[], Workspace]) -> None:
        self._workspace = workspace

    async def verify_start(self, request: VerifyStartRequest) -> RunStatus:
        """Submit a Run that verifies a selection of the declared Artifacts, and return at once.

        Verdicts whose inputs are unchanged are reused; only the rest is executed, by a worker of artifactize
        that goes on when this connection closes. scope is {"kind":"all"},
        {"kind":"artifact","artifactId":"guide"}, {"kind":"eval","evalId":"guide/terms"}, or the plural forms.
        With a request_key, the same key always gives the same Run. Then call verify_wait, and verify_result
        when the Run is FINISHED.
        """
        selection = Selection(SelectionKind(request.scope.kind), request.scope.ids)
        modes = RunModes(speculate=request.speculate, defer_human=request.defer_human)
        return await self.submit(
            Submission(selection=selection, request_key=request.request_key, jobs=request.jobs, modes=modes)
        )

    async def submit(self, submission: Submission) -> RunStatus:
        """Submit with everything that the command line can ask for."""
        workspace = self._workspace()
        submitted = await submit(workspace, submission)
        if submitted.run.state is not RunState.FINISHED:
            await off_loop(WorkerCare(workspace).check)
        status = _status(await observe(workspace, submitted.run.id))
        if submitted.known:
            status = status.model_copy(update={"note": known_note(submitted.run.created_at, now())})
        return status

    async def verify_wait(self, request: VerifyWaitRequest) -> RunStatus:
        """Wait until a Run is FINISHED or timeout_seconds (default 20, at most 30) are over.

        A Run that goes on is ordinary: next_check says when to look again. Its outcome is in verify_result.
        """
        seen = await wait(self._workspace(), request.run_id, seconds=request.timeout_seconds)
        return _status(seen)

    async def verify_watch(self, request: VerifyWatchRequest) -> RunStatus:
        """Watch a Run until it is FINISHED or timeout_seconds (default 20, at most 30) are over.

        As verify_wait, and tells what happens in progress notifications if the call has a progressToken. Each
        message is a JSON envelope: kind update (where the Run stands), eval_result (an eval that ended) or
        outcome (as verify_result). Every call begins with where the Run stands and what has ended already.
        """
        told = 0
        watcher = Watcher(first_page)
        newest: Seen | None = None
        async for seen in follow(self._workspace(), request.run_id, seconds=request.timeout_seconds):
            newest = seen
            for event in watcher.events(seen):
                told += 1
                await report(told, message=compact_json(event))
        assert newest is not None  # `follow` yields at least once
        return _status(newest)

    async def verify_result(self, request: VerifyResultRequest) -> VerifyResult:
        """Return the outcome of a Run with its findings: every eval that is not GREEN, 20 a page.

        Only outcome GREEN approves. A Run that goes on has no outcome yet. request_logs shows what a failed
        eval printed.
        """
        return result_page(await observe(self._workspace(), request.run_id), request.cursor)

    async def verify_cancel(self, request: VerifyCancelRequest) -> RunStatus:
        """Cancel a Run: end its commands, keep every verdict it has recorded, mark the rest CANCELLED.

        Cancelling a Run that is FINISHED changes nothing and says how it ended.
        """
        workspace = self._workspace()
        seen = await observe(workspace, request.run_id)
        if seen.is_over:
            return _status(seen)
        await off_loop(lambda: cancel(workspace, seen.run))
        return _status(await wait(workspace, request.run_id, seconds=_CANCEL_BOUND_S))


async def watch(
    workspace: Workspace, run_id: str, tell: Tell, *, seconds: float | None = None
) -> VerifyResult:
    """Tell every event of a Run until it is over or the time is up; return its result, all on one page."""
    watcher = Watcher()
    newest: Seen | None = None
    async for seen in follow(workspace, run_id, seconds=seconds):
        newest = seen
        for event in watcher.events(seen):
            await tell(event)
    assert newest is not None  # `follow` yields at least once
    return whole_result(newest)


def first_page(seen: Seen) -> VerifyResult:
    """Return a Run's result with its first findings, as many as one notification carries, and the cursor."""
    return result_page(seen, None, byte_budget=_NOTIFICATION_BYTES)


def result_page(seen: Seen, cursor: str | None, *, byte_budget: int = _PAGE_BYTES) -> VerifyResult:
    """Return a Run's result with one page of its findings. Raises InvalidCursorError."""
    everything = findings(seen.run, seen.requests)
    page = list_page(
        everything,
        binding=_binding(seen.run.id, everything),
        cursor=cursor,
        limit=FINDINGS_A_PAGE,
        byte_budget=byte_budget,
    )
    return verify_result(
        seen.run,
        seen.requests,
        page=page.items,
        findings_total=page.total,
        next_cursor=page.next_cursor,
    )


def _status(seen: Seen) -> RunStatus:
    return run_status(seen.run, seen.requests)


def _binding(run_id: str, everything: list[Finding]) -> Binding:
    digest = sha256_hex(canonical_json([each.model_dump(mode="json") for each in everything]))
    return Binding("verify_result", {"run_id": run_id}, digest)
