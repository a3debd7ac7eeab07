"""What a person reads after a review."""

from __future__ import annotations

from typing import TYPE_CHECKING

from prview.render.quoting import count, one_line

if TYPE_CHECKING:
    from collections.abc import Sequence

    from prview.models.results import (
        DoctorResult,
        HealthResult,
        PruneResult,
        RunReviewResult,
        RunsResult,
        RunSummary,
        StateResult,
    )

_SHOWN = 10


def review_lines(result: RunReviewResult) -> str:
    """The verdict, the checks, what blocks, where the pack is."""
    lines = [f"{result.verdict}  {result.run_id}  against {', '.join(result.base_used)}"]
    for gate in result.gates or []:
        reason = f"  {one_line(gate.reason)}" if gate.reason else ""
        lines.append(f"  {gate.status:<11} {gate.id}{reason}")
    lines += _some("blocks", result.blocking_issues or [])
    lines += _some("note", result.caveats)
    if result.stats:
        lines.append(f"{count(result.stats.files_changed, 'file')} changed")
    if result.artifact_paths:
        lines.append(f"pack: {result.artifact_paths.pack}")
    return "\n".join(lines)


def state_lines(result: StateResult) -> str:
    """Where the repository stands and what is known about HEAD."""
    changed = "unknown" if result.files_changed is None else str(result.files_changed)
    lines = [
        f"branch: {result.branch or '(detached)'} at {result.commit}{' (dirty)' if result.dirty else ''}",
        f"base: {result.default_branch or '(none found)'}{' (fallback)' if result.base_fallback else ''}",
        f"files changed: {changed}",
        f"latest run for HEAD: {_run(result.latest_run_for_head)}",
        f"latest run: {_run(result.latest_run_any)}",
    ]
    return "\n".join([*lines, *_some("note", result.base_caveats)])


def health_lines(result: HealthResult) -> str:
    """Which programs are there."""
    lines = [f"prview {result.version} ({result.protocol})", f"git: {_there(found=result.deps_global.git)}"]
    if result.deps_repo:
        lines.append(f"profile: {result.deps_repo.profile}")
        lines += [f"{name}: {_there(found=found)}" for name, found in result.deps_repo.tools.items()]
    return "\n".join(lines)


def doctor_lines(result: DoctorResult) -> str:
    """Every program with its place."""
    writable = "" if result.home_writable else " (cannot be written)"
    lines = [
        f"prview {result.version}",
        f"runs: {result.home}{writable}",
        f"profile: {result.profile or 'unknown'}",
    ]
    for program in result.programs:
        where = f"{program.path} ({program.origin})" if program.path else "missing"
        lines.append(f"{program.name}: {where}, for {program.needed_for}")
    return "\n".join(lines)


def run_lines(result: RunsResult) -> str:
    """One run a line, the newest first."""
    return "\n".join(_run(run) for run in result.runs) if result.runs else "no runs"


def prune_lines(result: PruneResult) -> str:
    """What went, and how much room that made."""
    did = "would be removed" if result.dry_run else "removed"
    lines = [_run(run) for run in result.removed]
    return "\n".join([*lines, f"{count(len(lines), 'run')} {did}, {result.freed_bytes / 1e6:.1f} MB"])


def _run(run: RunSummary | None) -> str:
    if run is None:
        return "none"
    told = run.merge_status or run.status
    return f"{run.run_id}  {told}  against {', '.join(run.base_used) or 'an unknown base'}"


def _some(title: str, items: Sequence[str]) -> list[str]:
    rest = len(items) - _SHOWN
    more = [f"  {title}: and {rest} more"] if rest > 0 else []
    return [*(f"  {title}: {one_line(item)}" for item in items[:_SHOWN]), *more]


def _there(*, found: bool) -> str:
    return "found" if found else "missing"
