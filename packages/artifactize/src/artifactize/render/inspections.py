"""Plans, Runs and records as lines of text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from artifactize.domain.blockers import KnownStates, held_by
from mcpkit.text import escape_untrusted

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from artifactize.models.inspection import (
        CacheListResult,
        ConfigCheckResult,
        RequestReport,
        RunListResult,
        RunReport,
        StatusResult,
    )
    from artifactize.models.states import RequestState

_KEY_SHOWN = 12
_MS = 1000


def status_text(result: StatusResult) -> str:
    """Return the plan: action, eval, reason; then what follows."""
    rows = [(each.action, _state(each.state), each.eval, each.reason) for each in result.evals]
    actions = result.actions
    names = ("execute", "reuse", "wait", "blocked")
    counts = ", ".join(f"{name} {getattr(actions, name)}" for name in names)
    verdict = "every obligation is GREEN" if result.satisfied else "obligations remain"
    return "\n".join([*table(rows), f"verify would {counts}; {verdict}"])


def config_text(result: ConfigCheckResult) -> str:
    """Return every mistake, or what is declared."""
    if result.ok and not result.artifacts:
        return "no Artifact is declared here; `artifactize init` writes a first index.artf"
    if result.ok:
        return f"ok: {counted(result.artifacts, 'Artifact')}, {counted(result.evals, 'eval')}"
    problems = result.problems or ()
    places = [f"{each.file}:{each.line}:{each.column}: " for each in problems]
    keys = [f"{each.key_path}: " if each.key_path else "" for each in problems]
    lines = [place + key + each.message for place, key, each in zip(places, keys, problems, strict=True)]
    return "\n".join([*(escape_untrusted(line) for line in lines), counted(len(problems), "mistake")])


def counted(count: int, noun: str) -> str:
    """`1 eval`, `2 evals`; for nouns whose plural is an s."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def runs_text(result: RunListResult) -> str:
    """Return one line a Run."""
    if not result.runs:
        return "no Runs"
    rows = []
    for run in result.runs:
        counts = ", ".join(f"{each.count} {each.state}" for each in run.counts)
        scope = " ".join((run.scope.kind, *run.scope.ids))
        rows.append((run.run_id, str(run.outcome or run.state), run.created_at, scope, counts))
    return "\n".join(table(rows))


def run_text(run: RunReport) -> str:
    """Return a Run with one line a request."""
    scope = " ".join((run.scope.kind, *run.scope.ids))
    head = [
        f"Run {run.run_id}: {run.outcome or run.state}",
        f"  selection {scope}; submitted {run.created_at}; finished {run.finished_at or 'not yet'}",
    ]
    if run.message:
        head.append(f"  {escape_untrusted(run.message)}")
    beyond: dict[str, RequestState | None] = {each.eval: each.state for each in run.unmet}
    known = KnownStates(beyond | {each.eval: each.state for each in run.requests})
    rows = [
        (f"  {each.state}", each.eval, each.request_id, str(each.source or ""), _told(each, known))
        for each in run.requests
    ]
    inside = {each.eval for each in run.requests}
    outside = [
        f"  unmet: {each.eval} ({_state(each.state)})" for each in run.unmet if each.eval not in inside
    ]
    return "\n".join([*head, *table(rows), *outside])


def _told(request: RequestReport, known: KnownStates) -> str:
    """What a Run's report says of a request: exit code, duration, and its words or what holds it."""
    notes = []
    if request.exit_code is not None:
        notes.append(f"exit code {request.exit_code}")
    if request.duration_ms is not None:
        notes.append(f"{request.duration_ms / _MS:.1f} s")
    if held := held_by(request.state, request.blocked_by, known):
        notes.append(held)
    if request.message:
        notes.append(f"{request.code}: {request.message}" if request.code else request.message)
    return ", ".join(notes)


def cache_text(result: CacheListResult) -> str:
    """Return one line a reusable verdict, the beginning of its key first: what `cache show` takes."""
    if not result.entries:
        return "no verdicts"
    rows = [
        (
            each.key[:_KEY_SHOWN],
            each.verdict,
            each.eval,
            each.recorded_at,
            f"Run {each.run_id}",
        )
        for each in result.entries
    ]
    return "\n".join(table(rows))


def _state(state: str | None) -> str:
    return state or "MISSING"


def table(rows: Sequence[Sequence[str]]) -> Iterable[str]:
    """Return the rows with aligned columns, the last one ragged."""
    if not rows:
        return []
    safe = [[escape_untrusted(cell) for cell in row] for row in rows]
    widths = [max(len(row[index]) for row in safe) for index in range(len(safe[0]))]
    return [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in safe
    ]
