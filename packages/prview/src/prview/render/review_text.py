"""`PR_REVIEW.md`: the review as a reviewer would write it down."""

from __future__ import annotations

from typing import TYPE_CHECKING

from prview.domain.checks import CheckResult, State
from prview.domain.gate import explain
from prview.render.gate_text import finding_lines
from prview.render.quoting import code, count, prose

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from prview.domain.change import Change, ChangedFile, Commit
    from prview.domain.coverage import Coverage
    from prview.domain.decision import Decision, Weighed
    from prview.domain.signals import SignalResult

SHOWN = 200
"""Files and commits that are named; the lists in 00_summary have all."""

_ORDER = (State.EXECUTED, State.ERROR, State.TIMEOUT, State.UNAVAILABLE, State.SKIPPED)


def review_text(
    change: Change, decision: Decision, *, coverage: Coverage, signals: Sequence[SignalResult] = ()
) -> str:
    """Verdict and reasons, what is new, what was looked at and how, files, commits."""
    lines = [*_opening(change, decision)]
    lines += _listed("Blocking", [prose(issue) for issue in decision.blocking_issues])
    lines += _listed("Caveats", [prose(caveat) for caveat in decision.caveats])
    lines += _new_findings(decision)
    lines += _listed("What the signals say", [_signal(result) for result in signals if result.signal])
    lines += _checks([weighed.result for weighed in decision.checks])
    new = _counts(decision.checks)
    lines += _listed("Changed files", [_file(file, new, coverage) for file in change.files])
    lines += _listed("Commits", [_commit(commit) for commit in change.commits])
    return "\n".join(lines).rstrip("\n") + "\n"


def _opening(change: Change, decision: Decision) -> list[str]:
    added = sum(file.added or 0 for file in change.files)
    deleted = sum(file.deleted or 0 for file in change.files)
    size = f"{count(len(change.commits), 'commit')}, {count(len(change.files), 'file')}, +{added} -{deleted}"
    against = ", ".join(code(name) for name in change.base_names)
    ends = f"(from `{change.merge_base[:12]}` to `{change.head[:12]}`)"
    return [
        f"# Review of {code(change.target)}: {decision.ruling.verdict.value}",
        "",
        f"{prose(decision.reason)}.",
        "",
        f"{size} against {against} {ends}. The analysis is {decision.analysis.value}.",
        "",
    ]


def _new_findings(decision: Decision) -> list[str]:
    found = sorted(
        (item for item in decision.checks if item.result.introduced), key=lambda item: not item.blocking
    )
    if not found:
        return ["## New findings", "", "None: no check found anything that was not there before.", ""]
    lines = ["## New findings", ""]
    for item in found:
        blocks = ", blocks" if item.blocking else ""
        title = f"### {item.result.name}: {count(len(item.result.introduced), 'finding')}{blocks}"
        lines += [title, "", *finding_lines([judged for _, judged in item.ranked]), ""]
    return lines


def _checks(results: Sequence[CheckResult]) -> list[str]:
    """One line a state; whoever did not look says why."""
    grouped = [(state, [result for result in results if result.state is state]) for state in _ORDER]
    told = [f"{state.value}: {_named(state, group)}" for state, group in grouped if group]
    old = sum(len(result.preexisting) for result in results)
    told += [f"{count(old, 'finding')} that the change did not bring: see the checks' results"] if old else []
    return _listed("Checks", told)


def _named(state: State, results: Iterable[CheckResult]) -> str:
    if state is State.EXECUTED:
        return ", ".join(result.name for result in results)
    return "; ".join(f"{result.name} ({prose(explain(result) or 'no reason given')})" for result in results)


def _signal(result: SignalResult) -> str:
    signal = result.signal
    documents = ", ".join(code(artifact.path) for artifact in result.artifacts)
    parts = [count(len(signal.findings), "finding")] if signal and signal.findings else []
    parts += ["asks for a look by a person"] if signal and signal.escalates else []
    parts += [f"see {documents}"] if documents else []
    return f"{result.title}: {'; '.join(parts) or 'nothing to point at'}"


def _counts(checks: Iterable[Weighed]) -> Mapping[str, int]:
    found: dict[str, int] = {}
    for weighed in checks:
        for item in weighed.result.introduced:
            found[item.finding.path] = found.get(item.finding.path, 0) + 1
    return found


def _listed(title: str, items: list[str]) -> list[str]:
    if not items:
        return []
    rest = len(items) - SHOWN
    more = [f"- and {rest} more"] if rest > 0 else []
    return [f"## {title}", "", *(f"- {item}" for item in items[:SHOWN]), *more, ""]


def _file(file: ChangedFile, new: Mapping[str, int], coverage: Coverage) -> str:
    moved = f" from {code(file.old_path)}" if file.old_path and file.old_path != file.path else ""
    size = "binary" if file.binary else f"+{file.added or 0} -{file.deleted or 0}"
    notes = [count(new[file.path], "new finding")] if file.path in new else []
    notes += [coverage.outside[file.path]] if file.path in coverage.outside else []
    notes += ["no check looked at it"] if file.path in coverage.unexamined else []
    return f"{file.status} {code(file.path)}{moved} ({', '.join([size, *notes])})"


def _commit(commit: Commit) -> str:
    return f"`{commit.sha[:12]}` {code(commit.subject)}"
