"""One side of one project: looked at now, or by an earlier run that had the same before it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from prview.checks.base import CodeForbiddenError
from prview.checks.cache import cache_key, load, save

if TYPE_CHECKING:
    from prview.checks.external import ToolCheck
    from prview.checks.jobs import Job, Reading


@dataclass(frozen=True)
class Look:
    """What was seen, now or in the run `reused_from`."""

    reading: Reading
    log: str
    reused_from: str | None = None


async def look_at(check: ToolCheck, job: Job) -> Look:
    """Look at one side, or take what an earlier run saw there. Raises a CheckProblem."""
    await _require_allowed(check, job)
    if not check.keeps:
        return Look(await check.examine(job), "".join(job.log))
    key = cache_key(
        job,
        command=await check.command(job),
        inputs=_inputs(check, job),
        names=[path for path in job.listing if check.concerns(path)],
        outside=await check.outside(job),
    )
    known = load(job, key)
    if known:
        return Look(known.reading, f"# reused from run {known.run_id}\n{known.log}", known.run_id)
    reading = await check.examine(job)
    save(job, key, reading)
    return Look(reading, "".join(job.log))


async def _require_allowed(check: ToolCheck, job: Job) -> None:
    if job.context.may_run_code:
        return
    code = await check.foreign_code(job)
    if code:
        raise CodeForbiddenError(
            f"{check.program} would execute {code}; code of a branch that is not checked out is only run "
            "with --allow-code"
        )


def _inputs(check: ToolCheck, job: Job) -> dict[str, str]:
    """Names and contents of what the tool reads: its targets, or all of its kind; and configuration."""
    alone = check.per_file and job.targets is not None
    targets = frozenset(job.targets or ())
    return {
        path: content
        for path, content in job.listing.items()
        if (path in targets if alone else check.concerns(path) or path in targets)
        or check.configures(path)
        or _also_reads(check, path)
    }


def _also_reads(check: ToolCheck, path: str) -> bool:
    pure = PurePosixPath(path)
    return pure.name in check.also_read or pure.suffix in check.also_read
