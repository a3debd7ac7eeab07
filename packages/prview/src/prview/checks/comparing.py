"""Both sides of one project: what the merge base has as well is older than the change."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from prview.checks.base import Sight
from prview.checks.jobs import Budget, Job, Project, Reading, Start, open_job
from prview.checks.looking import Look, look_at
from prview.checks.tools import Tool, passed_on, tool_environment, tool_version
from prview.domain.provenance import judge

if TYPE_CHECKING:
    from collections.abc import Iterable

    from prview.checks.base import CheckContext
    from prview.checks.external import ToolCheck
    from prview.checks.trees import Side
    from prview.domain.findings import Finding

MAX_TARGETS = 1000
"""Files beyond which everything is looked at: an argument list has a limit, tools hardly have one."""


@dataclass(frozen=True)
class ToolStart(Start):
    """Beside what both sides have in common the check, and the head's `targets`."""

    check: ToolCheck
    targets: tuple[str, ...] | None


async def started(
    check: ToolCheck,
    context: CheckContext,
    project: Project,
    *,
    targets: tuple[str, ...] | None,
    tool: Tool,
    budget: Budget,
    number: int,
) -> ToolStart:
    """Ask the program for its version. Raises a CheckProblem."""
    env = tool_environment(tool, context.scratch, add=passed_on(check.variables))
    version = await tool_version(tool, cwd=context.scratch, env=env, arguments=check.version_arguments)
    return ToolStart(context, project, tool, version, budget, number, check, targets)


async def both_sides(start: ToolStart) -> Sight:
    """Look at the head, then at the base for what may be older. Raises a CheckProblem."""
    change = start.context.change
    head = await look_at(start.check, await _job(start, "head", start.project.folder, start.targets))
    before = await _base_job(start, head.reading.findings)
    blind = await start.check.incomparable(before) if before else None
    base = await look_at(start.check, before) if before and not blind else Look(Reading(), "")
    judged = judge(
        head.reading.findings, base.reading.findings, renames=change.renames, added=change.added_numbers
    )
    changed = {file.path for file in change.files}
    return Sight(
        judged=judged,
        examined=head.reading.examined & changed,
        tool=f"{start.version} ({start.tool.origin})",
        log=head.log + base.log,
        unseen=_unseen(start, head.reading, changed, blind=blind),
        reused_from=(head.reused_from,) if head.reused_from else (),
    )


def _unseen(start: ToolStart, reading: Reading, changed: set[str], *, blind: str | None) -> str | None:
    """What it says itself, the changed files among those it could not read, and that nothing was compared."""
    unread = sorted(reading.unread & changed)
    parts = [reading.unseen, f"{start.check.name} could not read {', '.join(unread)}" if unread else None]
    if blind:
        parts.append(f"nothing that was found could be compared with the merge base: {blind}")
    return "; ".join(part for part in parts if part) or None


async def _base_job(start: ToolStart, findings: Iterable[Finding]) -> Job | None:
    """What to look at in the merge base; None when nothing that was found can be older."""
    folder = start.project.base_folder
    if folder is None:
        return None
    listing = await start.context.trees.listing("base")
    old_names = {new: old for old, new in start.context.change.renames.items()}

    def there(paths: Iterable[str]) -> tuple[str, ...]:
        names = {old_names.get(path, path) for path in paths}
        return tuple(sorted(name for name in names if name in listing))

    suspects = there(finding.path for finding in findings)
    if not suspects:
        return None
    if start.check.per_file:
        before = suspects if len(suspects) <= MAX_TARGETS else None
    else:
        before = None if start.targets is None else there(start.targets)
    return None if before == () else await _job(start, "base", folder, before)


async def _job(start: ToolStart, side: Side, folder: str, targets: tuple[str, ...] | None) -> Job:
    return await open_job(start.check, start, side=side, folder=folder, targets=targets)
