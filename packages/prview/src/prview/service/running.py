"""`run_review`: a review in a process of its own, waited for (quick) or let go (deep).

The review's own process takes the branch's lock and writes the pack, so that killing it, or us, leaves
nothing that looks finished. What became of it is read from disk: a published pack is success, whatever the
exit code.
"""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import anyio

from mcpkit.errors import ToolError
from mcpkit.progress import report
from oskit.clock import monotonic, now
from oskit.process import ProcessError, ProcessIdentity, clean_environment, kill_tree, run, spawn_detached
from prview.checks.base import Profile
from prview.domain.keys import branch_key, short
from prview.errors import ERRORS, RunFailedError, RunTimeoutError, StorageLockedError
from prview.models.results import RunReviewResult
from prview.service.opening import open_repo
from prview.service.results import completed_review
from prview.service.reviewing import parse_profile
from prview.service.targets import Bases, Target, find_bases, find_target
from prview.service.translation import translated_errors
from prview.store.paths import LOG, STDERR_LOG
from prview.store.run_folder import RunFolder, reserve
from prview.store.runs import COMPLETED, StoredRun
from prview.store.scratch import remove_scratch

if TYPE_CHECKING:
    from collections.abc import Iterator

    from oskit.process import Completed
    from prview.models.records import Failed
    from prview.models.requests import RunReviewRequest
    from prview.service.settings import Settings

START_BOUND_S = 30.0
"""Seconds a deep review may take to say that it began, or why it does not."""

PROFILES = (Profile.QUICK, Profile.DEEP)
"""Those that can be asked for over MCP."""

_POLL_S = 0.05
_HEARTBEAT_S = 1.0


@dataclass(frozen=True)
class _Plan:
    """A run that may be started."""

    request: RunReviewRequest
    profile: Profile
    target: Target
    against: Bases
    folder: RunFolder
    deadline: float
    """When a quick review must be over, on the monotonic clock: it began when it was asked for."""


async def run_review(settings: Settings, request: RunReviewRequest) -> RunReviewResult:
    """Answer `run_review`."""
    plan = await _plan(settings, request, deadline=monotonic() + settings.quick_budget_s)
    if plan.profile is Profile.QUICK:
        return await _wait(settings, plan)
    return await _let_go(settings, plan)


async def _plan(settings: Settings, request: RunReviewRequest, *, deadline: float) -> _Plan:
    """Refuse what can be refused without starting anything, then reserve the run."""
    profile = parse_profile(request.profile, known=PROFILES)
    opened = await open_repo(settings, request.repo)
    with translated_errors():
        target = await find_target(opened.repository, None)
        against = await find_bases(opened.repository, [request.base] if request.base else [])
        for base in against.bases:
            await opened.repository.merge_base(target.commit, base.commit)
        branch = opened.runs.branch(branch_key(target.branch, target.commit))
        folder = reserve(branch, started=now(), commit=target.commit, hidden=True)
    return _Plan(request, profile, target, against, folder, deadline)


async def _wait(settings: Settings, plan: _Plan) -> RunReviewResult:
    """Run it within the budget, telling how far it is; past the budget its whole process tree is ended."""
    with _accounted(plan.folder), translated_errors():
        completed = await _supervised(settings, plan)
        published = plan.folder.branch.published(plan.folder.run_id).is_dir()
        if completed.timed_out and not published:
            raise RunTimeoutError(plan.folder.run_id, budget_s=settings.quick_budget_s)
        return completed_review(_finished(plan.folder, code=completed.returncode))


async def _supervised(settings: Settings, plan: _Plan) -> Completed:
    """Run the review's process; a failure to start leaves the task group as it is, not as a group of one."""
    problem: ProcessError | None = None
    completed: Completed | None = None
    async with anyio.create_task_group() as group:
        group.start_soon(_heartbeat, plan.folder, settings.quick_budget_s)
        try:
            completed = await run(
                _command(settings, plan),
                cwd=Path("/"),
                env=_environment(settings),
                deadline_s=max(plan.deadline - monotonic(), 0.0),
                stderr_to=plan.folder.path / STDERR_LOG,
            )
        except ProcessError as exc:
            problem = exc
        group.cancel_scope.cancel()
    if completed is None:
        raise problem or RunFailedError("the review's process was not started")
    return completed


async def _let_go(settings: Settings, plan: _Plan) -> RunReviewResult:
    """Start it so that it outlives us, and answer once it has begun."""
    command = _command(settings, plan)
    with _accounted(plan.folder), translated_errors():
        log = plan.folder.path / STDERR_LOG
        process = spawn_detached(command, cwd=Path("/"), env=_environment(settings), log=log)
        try:
            await _begun(plan.folder, process)
        except BaseException:
            kill_tree(process, grace_s=0.5)  # whoever asked was told that it does not run
            raise
    return RunReviewResult(
        run_id=plan.folder.run_id,
        status="running",
        commit=short(plan.target.commit),
        base_used=[base.ref for base in plan.against.bases],
        base_fallback=plan.against.fallback,
        caveats=list(plan.against.caveats),
    )


def _command(settings: Settings, plan: _Plan) -> list[str]:
    bases = [plan.request.base] if plan.request.base else []
    options = ["--repo", plan.request.repo, "--profile", plan.profile.value, "--run-id", plan.folder.run_id]
    if plan.profile is Profile.QUICK:  # deep outlives us, quick must not: nobody else would end it in time
        options += ["--asked-by", str(ProcessIdentity.current())]
    return [*settings.command, "review", *options, "--json", "--quiet", "--", "HEAD", *bases]


def _environment(settings: Settings) -> dict[str, str]:
    return clean_environment(add={"PRVIEW_HOME": str(settings.home.root)})


@contextmanager
def _accounted(folder: RunFolder) -> Iterator[None]:
    """A run that ends here without a pack says why; one that never began leaves nothing."""
    try:
        yield
    except StorageLockedError:
        folder.discard()
        raise
    except BaseException as exc:
        known = exc if isinstance(exc, ToolError) else RunFailedError("the review was cancelled and ended")
        dead = StoredRun(run_id=folder.run_id, folder=folder.path)
        marker = dead.running  # read before fail(), which may have to drop it; it names the temporary folder
        if dead.failure is None:
            folder.fail(known)
        if marker:
            remove_scratch(dead)
        raise


async def _heartbeat(folder: RunFolder, budget_s: float) -> None:
    """Tell the caller that something happens, and what happened last."""
    started = monotonic()
    while True:
        await report(min(monotonic() - started, budget_s), budget_s, _last_line(folder))
        await anyio.sleep(_HEARTBEAT_S)


def _last_line(folder: RunFolder) -> str:
    try:
        lines = (folder.path / LOG).read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:  # it has just got another name
        return "publishing" if folder.branch.published(folder.run_id).is_dir() else "starting"
    return lines[-1].partition(" ")[2] if lines else "starting"


def _finished(folder: RunFolder, *, code: int | None) -> StoredRun:
    """Return the published run, or raise what kept it from being published."""
    done = StoredRun(run_id=folder.run_id, folder=folder.branch.published(folder.run_id))
    if done.folder.is_dir() and done.status == COMPLETED:
        return done
    failure = StoredRun(run_id=folder.run_id, folder=folder.path).failure
    raise _as_error(failure, folder) if failure else _died(folder, code)


async def _begun(folder: RunFolder, process: ProcessIdentity) -> None:
    """Wait until the process has marked the run as its own, failed, or died."""
    deadline = monotonic() + START_BOUND_S
    while monotonic() < deadline:
        if folder.branch.published(folder.run_id).is_dir():
            return
        seen = StoredRun(run_id=folder.run_id, folder=folder.path)
        if seen.failure:
            raise _as_error(seen.failure, folder)
        if seen.running and seen.running.process == str(process):
            return
        if not process.is_alive():
            _finished(folder, code=None)
            return
        await anyio.sleep(_POLL_S)
    raise RunFailedError(f"the review did not begin within {START_BOUND_S:.0f} s", run_id=folder.run_id)


def _as_error(failure: Failed, folder: RunFolder) -> ToolError:
    if failure.error_class == StorageLockedError.error_class_name:
        return StorageLockedError("this branch", active_run_id=failure.active_run_id)
    known = next((error for error in ERRORS if error.error_class_name == failure.error_class), RunFailedError)
    if known is RunTimeoutError:
        known = RunFailedError
    return known(failure.message, hint=failure.hint, run_id=folder.run_id)


def _died(folder: RunFolder, code: int | None) -> RunFailedError:
    ended = "without an exit code" if code is None else f"with exit code {code}"
    return RunFailedError(
        f"the review process ended {ended} and wrote no pack",
        hint=f"read {STDERR_LOG} of the run",
        run_id=folder.run_id,
    )
