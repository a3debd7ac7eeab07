"""What a person reads after a review."""

from __future__ import annotations

import re
import textwrap
from typing import TYPE_CHECKING

from prview.domain.checks import LEFT_OUT
from prview.models.results import Gate
from prview.render.quoting import count, one_line

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from prview.models.explaining import TopFindings
    from prview.models.results import (
        DoctorResult,
        FindingsResult,
        HealthResult,
        PruneResult,
        RunReviewResult,
        RunsResult,
        RunSummary,
        StateResult,
    )

_SHOWN = 10
_NARROWEST = 20
"""Columns below which nothing is wrapped any closer."""

_SIGNAL = "signal_"
_NOTHING_TO_DO = re.compile(
    r"nothing |no file |no \S+ is above |the (project|repository|reviewed commit) (does not|has no) "
)
"""How the reasons of checks begin that had nothing to look at here. Any other reason is told as it is."""
_RED, _GREEN, _YELLOW, _DIM = 31, 32, 33, 2
_COLORS = {
    **dict.fromkeys(("BLOCK", "FAIL", "ERROR", "TIMEOUT"), _RED),
    "PASS": _GREEN,
    **dict.fromkeys(("CONDITIONAL", "UNAVAILABLE"), _YELLOW),
    "SKIPPED": _DIM,
}


def review_lines(
    result: RunReviewResult,
    top: TopFindings | None = None,
    *,
    width: int | None = None,
    color: bool = False,
) -> str:
    """The verdict, the checks, the worst of what is new, what blocks, where to read on.

    `top` are the findings to show. With a `width` (columns of a terminal) the lines of checks and findings
    are cut, and what blocks and the notes are wrapped: nothing of them is lost. `color` is for a terminal,
    too.
    """
    paint = _painter(color=color)
    title = f"{result.verdict}  {result.run_id}  against {', '.join(result.base_used)}"
    lines = [title.replace(result.verdict or "", paint(result.verdict or "", bold=True), 1)]
    for gate in shown_gates(result.gates or [], result.caveats):
        reason = f"  {one_line(gate.reason)}" if gate.reason else ""
        line = _cut(f"  {gate.status:<11} {gate.id}{reason}", width)
        lines.append(line.replace(gate.status, paint(gate.status), 1))
    lines += [_cut(line, width) for line in _findings(top, result.run_id)]
    lines += [_wrapped(line, width) for line in _some("blocks", result.blocking_issues or [])]
    lines += [_wrapped(line, width) for line in _some("note", result.caveats)]
    return "\n".join([*lines, *_ends(result)])


def shown_gates(gates: Sequence[Gate], caveats: Sequence[str] = ()) -> list[Gate]:
    """The checks; those that had not to look, and the signals that found nothing, on one line each.

    A skip that a caveat speaks of took something from the analysis, and keeps a line of its own.
    """
    quiet = [
        gate for gate in gates if gate.id.startswith(_SIGNAL) and gate.status == "PASS" and not gate.reason
    ]
    skipped = [
        gate
        for gate in gates
        if gate.status == "SKIPPED" and not any(note.startswith(f"{gate.id} was skipped") for note in caveats)
    ]
    together = skipped if len(skipped) > 1 else []
    shown = [gate for gate in gates if gate not in quiet and gate not in together]
    if quiet:
        shown.append(Gate(id="signals", status="PASS", reason=f"{len(quiet)} with nothing to say"))
    if together:
        shown.append(Gate(id=f"{len(together)} checks", status="SKIPPED", reason=_why_skipped(together)))
    return shown


def _findings(top: TopFindings | None, run_id: str) -> list[str]:
    if top is None:
        return []
    lines = [
        f"  {one_line(item.file)}:{item.line}  {one_line(item.rule)}  {one_line(item.message)}"
        for item in top.shown
    ]
    return [*lines, f"  and {top.more} more: prview findings {run_id}"] if top.more else lines


def _why_skipped(gates: Sequence[Gate]) -> str:
    """Those that something kept from looking, by reason; then those that had nothing to look at."""
    kept = [gate for gate in gates if not _NOTHING_TO_DO.match(gate.reason or "nothing ")]
    order = sorted(dict.fromkeys(gate.reason or "" for gate in kept), key=_not_left_out)
    parts = [
        f"{_ids(gate for gate in kept if gate.reason == reason)}: {one_line(reason)}" for reason in order
    ]
    rest = [gate for gate in gates if gate not in kept]
    parts += [f"{_ids(rest)}: not configured, or nothing to look at"] if rest else []
    return "; ".join(parts)


def _not_left_out(reason: str) -> bool:
    return not reason.startswith(LEFT_OUT)


def _ids(gates: Iterable[Gate]) -> str:
    return ", ".join(gate.id for gate in gates)


def _ends(result: RunReviewResult) -> list[str]:
    lines = [f"{count(result.stats.files_changed, 'file')} changed"] if result.stats else []
    if result.artifact_paths:
        lines.append(f"pack: {result.artifact_paths.pack}")
    return lines if result.verdict == "PASS" else [*lines, f"why: prview explain {result.run_id}"]


def _cut(line: str, width: int | None) -> str:
    return line if width is None or len(line) <= width else line[: width - 1] + "…"


def _wrapped(line: str, width: int | None) -> str:
    if width is None or len(line) <= width:
        return line
    return textwrap.fill(
        line,
        max(width, _NARROWEST),
        subsequent_indent="    ",
        break_long_words=False,
        break_on_hyphens=False,
    )


def _painter(*, color: bool) -> Callable[..., str]:
    """Paint a status or a verdict in its colour; the escapes of a terminal, nothing where there is none."""

    def paint(word: str, *, bold: bool = False) -> str:
        code = _COLORS.get(word)
        return f"\x1b[{'1;' if bold else ''}{code}m{word}\x1b[0m" if color and code else word

    return paint


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
    return "\n".join([*lines, f"checks and signals of a policy: {', '.join(result.checks)}"])


def run_lines(result: RunsResult) -> str:
    """One run a line, the newest first."""
    runs = (run if run.profile else run.model_copy(update={"profile": "unknown"}) for run in result.runs)
    return "\n".join(_run(run) for run in runs) if result.runs else "no runs"


def prune_lines(result: PruneResult) -> str:
    """What went, and how much room that made."""
    did = "would be removed" if result.dry_run else "removed"
    lines = [_run(run) for run in result.removed]
    return "\n".join([*lines, f"{count(len(lines), 'run')} {did}, {result.freed_bytes / 1e6:.1f} MB"])


def _run(run: RunSummary | None) -> str:
    if run is None:
        return "none"
    told = run.merge_status or run.status
    against = ", ".join(run.base_used) or "an unknown base"
    profile = f"  {run.profile:<8}" if run.profile else ""  # state does not say it
    return f"{run.run_id}{profile}  {told}  against {against}"


def finding_lines(result: FindingsResult) -> str:
    """One finding a line, and how to see the next page."""
    lines = []
    for item in result.items:
        place = f"{one_line(item.file)}:{item.line}"
        lines.append(f"{item.severity:<8} {place}  {one_line(item.rule)}  {one_line(item.message)}")
    if result.next_cursor:
        lines.append(f"{len(lines)} of {result.total}; more with --limit, or --cursor {result.next_cursor}")
    return "\n".join(lines) if lines else "no findings"


def _some(title: str, items: Sequence[str]) -> list[str]:
    rest = len(items) - _SHOWN
    more = [f"  {title}: and {rest} more"] if rest > 0 else []
    return [*(f"  {title}: {one_line(item)}" for item in items[:_SHOWN]), *more]


def _there(*, found: bool) -> str:
    return "found" if found else "missing"
