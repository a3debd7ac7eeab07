"""The stages of a run, in order.

Each adds what it found to the run's findings, or ends the run by raising.
"""

from __future__ import annotations

from contextlib import nullcontext, suppress
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from codevetter_verify import errors
from codevetter_verify.domain.control import control_route
from codevetter_verify.domain.findings import Visited
from codevetter_verify.domain.pull_request import PullSpec
from codevetter_verify.domain.records import RouteNote
from codevetter_verify.domain.verdict import RunCause
from codevetter_verify.domain.visit import RouteVisit, Visit
from codevetter_verify.errors import RunEndedError, StorageFailedError
from codevetter_verify.service.fetching import head_beside
from codevetter_verify.service.planning import plan_change
from codevetter_verify.service.pull import tree_of_pull
from codevetter_verify.service.source import head_of, resolve_source
from codevetter_verify.service.telling import RoutesTold
from codevetter_verify.service.waiting import await_preview, gate_of

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from contextlib import AbstractAsyncContextManager

    from codevetter_verify.domain.change import Change
    from codevetter_verify.domain.observation import Observation
    from codevetter_verify.domain.preview_url import PreviewUrl
    from codevetter_verify.domain.revision import Identity
    from codevetter_verify.models import Artifact
    from codevetter_verify.service.run import Run
    from oskit.git import Repository

ERROR_STATUS = 400
_CAUSES: dict[type[errors.RunEndedError], RunCause] = {
    errors.SourceUnresolvedError: RunCause.SOURCE_UNRESOLVED,
    errors.NothingToVerifyError: RunCause.NOTHING_TO_VERIFY,
    errors.SourceTooLargeError: RunCause.SOURCE_TOO_LARGE,
    errors.PreviewUnreachableError: RunCause.PREVIEW_UNREACHABLE,
    errors.HostUnknownError: RunCause.PREVIEW_UNREACHABLE,
    errors.PreviewNotLiveError: RunCause.PREVIEW_NOT_LIVE,
    errors.PreviewWallError: RunCause.PREVIEW_WALL,
    errors.PreviewShieldError: RunCause.PREVIEW_SHIELD,
    errors.AddressRefusedError: RunCause.ADDRESS_REFUSED,
    errors.BrowserMissingError: RunCause.BROWSER_MISSING,
    errors.BrowserFailedError: RunCause.BROWSER_FAILED,
}


def cause_of(error: errors.RunEndedError) -> RunCause:
    """The receipt's word for what ended a run."""
    return _CAUSES[type(error)]


@dataclass(frozen=True, slots=True)
class Stage:
    """One step, with the words that progress shows."""

    title: str
    act: Callable[[Run], Awaitable[None]]


async def resolve_change(run: Run) -> None:
    """Which change it is, and which routes it asks for."""
    findings, spec = run.findings, run.findings.order.source
    try:
        change, run.pull = await resolve_source(run.repository, spec)
    except errors.NothingToVerifyError as exc:
        findings.change = exc.change  # resolved, and nothing to visit: the receipt names both commits
        raise
    findings.change = change
    listed = partial(tree_of_pull, spec, change.head_sha) if isinstance(spec, PullSpec) else None
    async with _holder(run, change.head_sha) as (repository, why):
        findings.change, findings.plan = await plan_change(repository, change, listed=listed)
    findings.notes += [why] if why else []
    findings.notes += findings.plan.notes
    await _note_routes(run)


async def identify_preview(run: Run) -> None:
    """Who the preview says it is; a mismatch ends the run before any browser starts."""
    findings = run.findings
    await await_preview(run, _known(findings.change))
    if findings.identity is not None and findings.identity.status == "mismatch":
        findings.end(RunCause.REVISION_MISMATCH, _mismatch(run, findings.identity))


def _holder(run: Run, head: str) -> AbstractAsyncContextManager[tuple[Repository, str | None]]:
    """The repository that has the head, as far as one may be made that has it."""
    spec = run.findings.order.source
    if isinstance(spec, PullSpec) and run.options.fetch:
        return head_beside(run.repository, spec, head)
    return nullcontext((run.repository, None))


def _mismatch(run: Run, identity: Identity) -> str:
    if run.pull is not None and run.pull.merge and run.pull.merge.startswith(identity.revision or "-"):
        what = "GitHub's trial merge of the pull request, not its head"
        next_step = "deploy the head of the pull request (github.event.pull_request.head.sha in a workflow)"
    else:
        what = "another revision"
        next_step = "deploy the head, or name the range that ends at what is deployed"
    return f"the preview shows {what}: {identity.evidence}; {next_step}"


async def take_journeys(run: Run) -> None:
    """Visit every planned route."""
    findings = run.findings
    base = findings.base()
    targets = tuple(RouteVisit(route, base.for_route(route).address) for route, _ in findings.plan.routes)
    control = await _control(run, base) if len(targets) > 1 else None
    told = RoutesTold(run.options.watch, stage=STAGES.index(JOURNEYS), stages=len(STAGES))

    async def looked(seen: Observation) -> None:
        if control is None or seen.route != control.route:
            await told.seen(seen, findings.judge(seen).outcome)

    visit = Visit(
        targets=(*targets, control) if control else targets,
        own_hosts=run.options.allowed_hosts,
        gate=gate_of(run),
        wants_screenshot=lambda seen: _wants_screenshot(run, seen),
        looked=looked,
        cookies=findings.pass_cookies(),
    )

    async def started(identity: str) -> None:
        run.browser_identity = identity
        await run.store.note_browser(run.run_id, identity)

    looked_at: list[Observation] = []
    told.planned([target.route for target in targets])

    async def observed(seen: Observation) -> None:
        if control is not None and seen.route == control.route:
            looked_at.append(seen)
            return
        judgement = findings.judge(seen)
        findings.add(Visited(seen, judgement, await _keep_screenshot(run, seen)))
        await _note_routes(run)
        await told.seen(seen, judgement.outcome)

    findings.browser = await run.browser.visit(visit, started=started, observed=observed)
    for seen in looked_at:
        findings.settle(seen)
    if not findings.browser.cleaned_up:
        findings.end(RunCause.CLEANUP_FAILED, "processes of the browser survived the run")


async def _control(run: Run, base: PreviewUrl) -> RouteVisit | None:
    """A made-up path to visit too, where the server does not tell it from a real one."""
    from codevetter_verify.service.preview import probe_preview  # as above

    route = control_route(run.run_id)
    try:
        answer = await probe_preview(
            base.for_route(route),
            gate=gate_of(run),
            allowed_hosts=run.options.allowed_hosts,
            cookies=run.findings.pass_cookies(),
        )
    except RunEndedError:
        return None  # answered otherwise than the preview itself: the server tells them apart
    return RouteVisit(route, base.for_route(route).address) if answer.status < ERROR_STATUS else None


async def confirm_head(run: Run) -> None:
    """Whether the head still is what was verified."""
    change = _known(run.findings.change)
    head = await head_of(run.repository, run.findings.order.source)
    if head != change.head_sha:
        run.findings.end(
            RunCause.HEAD_MOVED, f"the head moved during the run, from {change.head_sha} to {head}"
        )


JOURNEYS = Stage("visiting the routes", take_journeys)
STAGES = (
    Stage("resolving the change", resolve_change),
    Stage("identifying the preview", identify_preview),
    JOURNEYS,
    Stage("confirming the head", confirm_head),
)


def _wants_screenshot(run: Run, seen: Observation) -> bool:
    return run.options.screenshots == "always" or run.findings.judge(seen).outcome != "passed"


async def _note_routes(run: Run) -> None:
    """For the receipt that is made should this process be killed.

    A store that fails ends the run elsewhere.
    """
    visited = run.findings.visited
    notes = [
        RouteNote(route, reason, visited[route].judgement.outcome if route in visited else None)
        for route, reason in run.findings.plan.routes
    ]
    with suppress(StorageFailedError):
        await run.store.note_routes(run.run_id, notes)


async def _keep_screenshot(run: Run, seen: Observation) -> Artifact | None:
    """A picture that cannot be kept is a limitation, not the end of a run."""
    if seen.screenshot is None:
        return None
    number = [route for route, _ in run.findings.plan.routes].index(seen.route) + 1
    try:
        return await run.store.save_artifact(run.run_id, f"{number}.jpg", seen.screenshot, kind="screenshot")
    except StorageFailedError as exc:
        run.findings.notes.append(f"the screenshot of {seen.route} could not be kept: {exc.message}")
        return None


def _known(change: Change | None) -> Change:
    if change is None:
        raise AssertionError("the source stage ends the run when it finds no change")
    return change
