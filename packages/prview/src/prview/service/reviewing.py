"""One review from beginning to end: range, lock, checks, decision, pack."""

from __future__ import annotations

import shutil
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

import anyio
from anyio import to_thread

from mcpkit.errors import ToolError
from mcpkit.progress import report
from oskit.clock import now, rfc3339
from oskit.files import StorageError
from oskit.locks import FileLock, LockHeldError
from oskit.process import ProcessIdentity
from prview.checks.base import Profile
from prview.domain.keys import branch_key, short
from prview.domain.lfs import LFS, lfs_sizes
from prview.domain.outside import outside_words, without_outside
from prview.domain.relocated import relocated
from prview.domain.signal_results import as_check
from prview.errors import RunFailedError, StorageLockedError
from prview.models.records import Running
from prview.service.contradicting import contradictions
from prview.service.history import earlier_runs
from prview.service.installed import installed_digest
from prview.service.observing import STARTED, Scene, Seen, observe
from prview.service.opening import Opened, open_repo
from prview.service.packing import Reviewed, pack_files
from prview.service.preparing import Asked, prepare_asked
from prview.service.rules import Rules, read_rules
from prview.service.sameness import digest_of, same_review
from prview.service.selection import Steps
from prview.service.translation import translated_errors
from prview.service.wanted import while_wanted
from prview.signals.registry import SIGNALS
from prview.store.cache import ResultCache
from prview.store.index import read_index
from prview.store.pack import publish
from prview.store.run_folder import RunFolder, adopt, reserve
from prview.store.runs import StoredRun
from prview.store.scratch import make_scratch, sweep

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator, Sequence
    from datetime import datetime
    from pathlib import Path

    from oskit.git import Repository
    from prview.domain.change import Change
    from prview.domain.checks import CheckResult
    from prview.models.requests import ReviewRequest
    from prview.service.settings import Settings
    from prview.store.home import BranchRuns


@dataclass(frozen=True)
class _Plan:
    """A review that may begin; `objects` holds its commits."""

    opened: Opened
    objects: Repository
    change: Change
    profile: Profile
    request: ReviewRequest
    started: datetime
    branch: BranchRuns
    rules: Rules
    steps: Steps
    installed: str

    @property
    def asked(self) -> str:
        """The digest of how it is looked."""
        return digest_of(
            self.request, self.rules, checked_out=self.change.checked_out, installed=self.installed
        )


async def review(settings: Settings, request: ReviewRequest) -> StoredRun:
    """Review and return the completed run. Raises a PrviewError; the run is then marked as failed."""
    try:
        plan = await _plan(settings, request)
    except ToolError as exc:
        await _refuse(settings, request, exc)
        raise
    await to_thread.run_sync(sweep, settings.home)
    if request.update and (same := same_review(plan.branch, plan.change, plan.asked)):
        return same
    with translated_errors():
        folder = _folder(plan)
        with _failing_into(folder, ours=request.run_id is None), _locked(plan, folder), translated_errors():
            return await while_wanted(partial(_run, settings, plan, folder), asked_by=request.asked_by)


def parse_profile(name: str, *, known: Sequence[Profile] = tuple(Profile)) -> Profile:
    """Return one of the known profiles. Raises RunFailedError, as the contract has it for another one."""
    for profile in known:
        if profile.value == name:
            return profile
    words = ", ".join(profile.value for profile in known)
    raise RunFailedError(f"unknown profile {name!r}; known are {words}", hint=f"give one of: {words}")


async def _plan(settings: Settings, request: ReviewRequest) -> _Plan:
    profile = parse_profile(request.profile)
    started = now()
    opened = await open_repo(settings, request.repo)
    steps = Steps(request.include, request.skip)
    asked = Asked(request.target, request.bases, request.remote, request.fetch, request.pull)
    store = settings.home.fetched(opened.key)
    change, objects = await prepare_asked(opened.repository, asked, store=store)
    with translated_errors():
        rules = await read_rules(objects, change, policy_file=request.policy_file)
    change = replace(change, caveats=(*change.caveats, *rules.caveats))
    branch = opened.runs.branch(branch_key(change.branch, change.head))
    there = installed_digest(opened.checkouts, (file.path for file in change.files))
    return _Plan(opened, objects, change, profile, request, started, branch, rules, steps, there)


async def _refuse(settings: Settings, request: ReviewRequest, error: ToolError) -> None:
    """Leave the reason in the run that somebody reserved for this review, who reads it there."""
    if request.run_id is None:
        return
    with suppress(ToolError):  # the reason is told by the exit, too
        opened = await open_repo(settings, request.repo)
        for branch in opened.runs.branches():
            if folder := adopt(branch, request.run_id):
                folder.fail(error)


def _folder(plan: _Plan) -> RunFolder:
    if plan.request.run_id is None:
        return reserve(plan.branch, started=plan.started, commit=plan.change.head, hidden=True)
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
            folder.refuse(exc)
        raise
    except ToolError as exc:
        folder.fail(exc)
        raise
    except (anyio.get_cancelled_exc_class(), KeyboardInterrupt):
        folder.fail(RunFailedError("the review was cancelled and ended"))
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
    scratch = make_scratch()
    try:
        folder.mark_running(_running(plan, folder.run_id, scratch))
        folder.log(f"reviewing {plan.change.target} at {plan.change.head} from {plan.change.merge_base}")
        seen = await observe(_scene(settings, plan, folder, scratch), step=_teller(folder))
        results = tuple(relocated(result, str(scratch)) for result in _results(plan, seen))
        reviewed = Reviewed(
            change=replace(plan.change, caveats=(*plan.change.caveats, *outside_words(seen.outside))),
            results=results,
            signals=seen.signals,
            outside=seen.outside,
            asked=plan.asked,
            ai_only=plan.request.ai_only,
            policy=plan.rules.policy,
            escalation=plan.rules.project.breaking,
            profile=plan.profile.value,
            run_id=folder.run_id,
            repo_key=plan.opened.key,
            branch_key=plan.branch.folder.name,
            started_at=rfc3339(plan.started),
            generated_at=rfc3339(now()),
            contradicted_by=await to_thread.run_sync(
                contradictions, plan.branch, plan.change, results, plan.rules.policy
            ),
            history=await to_thread.run_sync(earlier_runs, plan.opened.runs, plan.branch),
        )
        files = await to_thread.run_sync(pack_files, reviewed)
        folder.log(f"publishing {len(files)} files")
        archived = not plan.request.ai_only
        published = await to_thread.run_sync(partial(publish, folder, files, archived=archived))
        await to_thread.run_sync(read_index, plan.opened.runs)  # so that the next reader finds it cached
        return StoredRun(run_id=folder.run_id, folder=published)
    finally:
        with anyio.CancelScope(shield=True):
            await to_thread.run_sync(lambda: shutil.rmtree(scratch, ignore_errors=True))


def _results(plan: _Plan, seen: Seen) -> tuple[CheckResult, ...]:
    """Checks, what the branch does to its policy, signals: one list for gate, SARIF and everything else."""
    signals = (as_check(signal, plan.change) for signal in seen.signals)
    kept_elsewhere = {file.path: LFS for file in plan.change.files if lfs_sizes(file.patch)}
    return without_outside(
        (*seen.checks, plan.rules.own_change, *signals, *plan.steps.left_out(SIGNALS, plan.profile)),
        {**kept_elsewhere, **seen.outside},
    )


def _scene(settings: Settings, plan: _Plan, folder: RunFolder, scratch: Path) -> Scene:
    request = plan.request
    return Scene(
        repository=plan.objects,
        change=plan.change,
        project=plan.rules.project,
        profile=plan.profile,
        steps=plan.steps,
        checkouts=plan.opened.checkouts,
        scratch=scratch,
        run_id=folder.run_id,
        cache=None if request.ci else ResultCache(settings.home.check_cache),
        allow_code=request.allow_code,
        timeout_s=request.timeout_s,
    )


def _teller(folder: RunFolder) -> Callable[[int, int, str], Awaitable[None]]:
    """Every step goes to the run's log and on to whoever listens."""

    async def step(done: int, total: int, message: str) -> None:
        if not message.endswith(STARTED):
            with suppress(StorageError):  # a full disk is reported when the pack is written
                folder.log(message)
        await report(done, total, message)

    return step


def _running(plan: _Plan, run_id: str, scratch: Path) -> Running:
    process = ProcessIdentity.current()
    return Running(
        run_id=run_id,
        process=str(process),
        pid=process.pid,
        commit=plan.change.head,
        branch=plan.change.branch or "",
        base_used=tuple(plan.change.base_names),
        profile=plan.profile.value,
        started_at=rfc3339(plan.started),
        scratch=str(scratch),
    )
