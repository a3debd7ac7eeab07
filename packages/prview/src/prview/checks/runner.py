"""Runs the checks side by side and turns whatever happens to one of them into its result."""

from __future__ import annotations

import traceback
from dataclasses import replace
from typing import TYPE_CHECKING

import anyio

from oskit.clock import monotonic
from prview.checks.base import (
    CheckProblem,
    CodeForbiddenError,
    Skip,
    ToolTimeoutError,
    ToolUnavailableError,
)
from prview.domain.checks import CheckResult, State

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence

    from prview.checks.base import Check, CheckContext


async def run_checks(
    checks: Sequence[Check], context: CheckContext, *, step: Callable[[int, str], Awaitable[None]]
) -> tuple[CheckResult, ...]:
    """Run all and return their results in the order of `checks`. No check keeps another from its result.

    `step` hears how many are done, which one began, and how the last one ended.
    """
    results: dict[str, CheckResult] = {}

    async def run_one(check: Check) -> None:
        await step(len(results), f"{check.id}: started")
        results[check.id] = result = await _result(check, context)
        detail = f" ({result.reason})" if result.reason else ""
        await step(len(results), f"{check.id}: {result.status}{detail}")

    async with anyio.create_task_group() as group:
        for check in checks:
            group.start_soon(run_one, check)
    return tuple(results[check.id] for check in checks)


async def _result(check: Check, context: CheckContext) -> CheckResult:
    started = monotonic()
    empty = CheckResult(id=check.id, name=check.name, kind=check.kind, state=State.SKIPPED)
    scratch = context.scratch / check.id
    scratch.mkdir()
    try:
        skip = check.applies(context)
        result = (
            _skipped(empty, skip) if skip else await _looked(check, replace(context, scratch=scratch), empty)
        )
    except CheckProblem as exc:
        result = replace(empty, state=_state(exc), reason=exc.message, log=exc.log)
    except Exception as exc:  # noqa: BLE001 - one check's defect must not cost the others their results
        reason = f"prview failed in this check: {type(exc).__name__}: {exc}"
        result = replace(empty, state=State.ERROR, reason=reason, log=traceback.format_exc())
    return replace(result, duration_s=monotonic() - started)


def _skipped(empty: CheckResult, skip: Skip) -> CheckResult:
    return replace(empty, reason=skip.reason, neutral=skip.neutral)


async def _looked(check: Check, context: CheckContext, empty: CheckResult) -> CheckResult:
    sight = await check.look(context)
    if isinstance(sight, Skip):
        return _skipped(empty, sight)
    return replace(
        empty,
        state=_state(sight.problem) if sight.problem else State.EXECUTED,
        reason=sight.problem.message if sight.problem else None,
        judged=sight.judged,
        flaky=sight.flaky,
        examined=sight.examined,
        tool=sight.tool,
        log=sight.log,
        unseen=sight.unseen,
        cached=bool(sight.reused_from),
        reused_from=sight.reused_from,
    )


def _state(problem: CheckProblem) -> State:
    if isinstance(problem, ToolUnavailableError):
        return State.UNAVAILABLE
    if isinstance(problem, CodeForbiddenError):
        return State.SKIPPED
    return State.TIMEOUT if isinstance(problem, ToolTimeoutError) else State.ERROR
