"""One review from beginning to end: range, lock, checks, decision, pack."""

from __future__ import annotations

import shutil
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

import anyio
from anyio import to_thread

from mcpkit.errors import ToolError
from mcpkit.progress import report
from oskit.clock import now, rfc3339
from oskit.files import StorageError
from oskit.locks import FileLock, LockHeldError
from oskit.process import ProcessIdentity
from prview.checks.base import CHECK_TIMEOUT_S, CheckContext, Profile
from prview.checks.registry import CHECKS
from prview.checks.runner import run_checks
from prview.checks.trees import Trees
from prview.domain.keys import branch_key, short
from prview.errors import RunFailedError, StorageLockedError
from prview.models.records import Running
from prview.service.opening import Opened, open_repo
from prview.service.packing import Reviewed, pack_files
from prview.service.preparing import prepare
from prview.service.translation import translated_errors
from prview.store.cache import ResultCache
from prview.store.pack import publish
from prview.store.run_folder import RunFolder, adopt, make_scratch, reserve, sweep
from prview.store.runs import StoredRun

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime
    from pathlib import Path

    from prview.domain.change import Change
    from prview.domain.checks import CheckResult
    from prview.models.requests import ReviewRequest
    from prview.service.settings import Settings
    from prview.store.home import BranchRuns


@dataclass(frozen=True)
class _Plan:
    """A review that may begin."""

    opened: Opened
    change: Change
    profile: Profile
    request: ReviewRequest
    started: datetime
    branch: BranchRuns


async def review(settings: Settings, request: ReviewRequest) -> StoredRun:
    """Review and return the completed run. Raises a PrviewError; the run is then marked as failed."""
    plan = await _plan(settings, request)
    with translated_errors():
        folder = _folder(plan)
        with _failing_into(folder, ours=request.run_id is None), _locked(plan, folder), translated_errors():
            return await _run(settings, plan, folder)


def parse_profile(name: str) -> Profile:
    """Return the profile. Raises RunFailedError, as the contract has it for an unknown one."""
    try:
        return Profile(name)
    except ValueError:
        known = ", ".join(profile.value for profile in Profile)
        raise RunFailedError(f"unknown profile {name!r}; known are {known}") from None


async def _plan(settings: Settings, request: ReviewRequest) -> _Plan:
    profile = parse_profile(request.profile)
    started = now()
    opened = await open_repo(settings, request.repo)
    change = await prepare(opened.repository, target=request.target, bases=request.bases)
    branch = opened.runs.branch(branch_key(change.branch, change.head))
    return _Plan(opened, change, profile, request, started, branch)


def _folder(plan: _Plan) -> RunFolder:
    if plan.request.run_id is None:
        return reserve(plan.branch, started=plan.started, commit=plan.change.head)
    folder = adopt(plan.branch, plan.request.run_id)
    if folder is None or short(plan.change.head) not in folder.run_id:
        raise RunFailedError(f"the run {plan.request.run_id} was not reserved, or HEAD moved meanwhile")
    return folder


@contextmanager
def _failing_into(folder: RunFolder, *, ours: bool) -> Iterator[None]:
    """Whatever ends the block without a pack is written down in the run.

    A run that found the branch taken never began: it leaves nothing, unless somebody else waits for it.
    """
    try:
        yield
    except StorageLockedError as exc:
        if ours:
            folder.discard()
        else:
            folder.fail(exc)
        raise
    except ToolError as exc:
        folder.fail(exc)
        raise
    except BaseException as exc:
        folder.fail(RunFailedError(f"the review ended with {type(exc).__name__}: {exc}"))
        raise


@contextmanager
def _locked(plan: _Plan, folder: RunFolder) -> Iterator[None]:
    """Hold the branch. Raises StorageLockedError naming the run that does."""
    lock = FileLock(plan.branch.lock_path)
    try:
        lock.acquire({"run_id": folder.run_id})
    except LockHeldError as exc:
        active = exc.owner.details.get("run_id") if exc.owner else None
        raise StorageLockedError(plan.change.target, active_run_id=active) from exc
    with lock:
        yield


async def _run(settings: Settings, plan: _Plan, folder: RunFolder) -> StoredRun:
    sweep(plan.branch)
    scratch = make_scratch()
    try:
        folder.mark_running(_running(plan, folder, scratch))
        folder.log(f"reviewing {plan.change.target} at {plan.change.head} from {plan.change.merge_base}")
        results = await _checked(settings, plan, folder, scratch)
        reviewed = Reviewed(
            change=plan.change,
            results=results,
            profile=plan.profile.value,
            run_id=folder.run_id,
            repo_key=plan.opened.key,
            branch_key=plan.branch.folder.name,
            started_at=rfc3339(plan.started),
            generated_at=rfc3339(now()),
        )
        files = pack_files(reviewed)
        folder.log(f"publishing {len(files)} files")
        published = await to_thread.run_sync(publish, folder, files)
        return StoredRun(run_id=folder.run_id, folder=published)
    finally:
        with anyio.CancelScope(shield=True):
            await to_thread.run_sync(lambda: shutil.rmtree(scratch, ignore_errors=True))


async def _checked(
    settings: Settings, plan: _Plan, folder: RunFolder, scratch: Path
) -> tuple[CheckResult, ...]:
    """Run the checks; every step goes to the run's log and on to whoever listens."""
    change = plan.change
    trees = Trees(plan.opened.repository, head=change.head, base=change.merge_base, folder=scratch)
    context = CheckContext(
        change=change,
        trees=trees,
        paths=frozenset(await trees.listing("head")),
        checkouts=plan.opened.checkouts,
        scratch=scratch,
        profile=plan.profile,
        may_run_code=change.checked_out or plan.request.allow_code,
        timeout_s=plan.request.timeout_s or CHECK_TIMEOUT_S[plan.profile],
        run_id=folder.run_id,
        cache=ResultCache(settings.home.check_cache),
    )

    async def step(done: int, message: str) -> None:
        with suppress(StorageError):  # a full disk is reported when the pack is written
            folder.log(message)
        await report(done, len(CHECKS), message)

    return await run_checks(CHECKS, context, step=step)


def _running(plan: _Plan, folder: RunFolder, scratch: Path) -> Running:
    process = ProcessIdentity.current()
    return Running(
        run_id=folder.run_id,
        process=str(process),
        pid=process.pid,
        commit=plan.change.head,
        branch=plan.change.branch or "",
        base_used=tuple(plan.change.base_names),
        profile=plan.profile.value,
        started_at=rfc3339(plan.started),
        scratch=str(scratch),
    )
