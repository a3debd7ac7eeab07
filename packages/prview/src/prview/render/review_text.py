"""`PR_REVIEW.md`: the review as a reviewer would write it down."""

from __future__ import annotations

from typing import TYPE_CHECKING

from prview.render.gate_text import finding_lines
from prview.render.quoting import code, count, one_line

if TYPE_CHECKING:
    from prview.domain.change import Change, ChangedFile, Commit
    from prview.domain.decision import Decision

SHOWN = 200
"""Files and commits that are named; the lists in 00_summary have all."""


def review_text(change: Change, decision: Decision) -> str:
    """Verdict, reasons, introduced findings, files, commits."""
    added = sum(file.added or 0 for file in change.files)
    deleted = sum(file.deleted or 0 for file in change.files)
    lines = [
        f"# Review of {code(change.target)}: {decision.ruling.verdict.value}",
        "",
        f"{one_line(decision.reason)}.",
        "",
        f"{count(len(change.commits), 'commit')}, {count(len(change.files), 'file')}, +{added} -{deleted}",
        f"against {', '.join(code(name) for name in change.base_names)}",
        f"(from `{change.merge_base[:12]}` to `{change.head[:12]}`).",
        "",
    ]
    lines += _listed("Blocking", [one_line(issue) for issue in decision.blocking_issues])
    lines += _listed("Caveats", [one_line(caveat) for caveat in decision.caveats])
    for weighed in decision.checks:
        if weighed.result.introduced:
            lines += [f"## {weighed.result.name}", "", *finding_lines(weighed.result.introduced), ""]
    lines += _listed("Changed files", [_file(file) for file in change.files])
    lines += _listed("Commits", [_commit(commit) for commit in change.commits])
    return "\n".join(lines).rstrip("\n") + "\n"


def _listed(title: str, items: list[str]) -> list[str]:
    if not items:
        return []
    rest = len(items) - SHOWN
    more = [f"- and {rest} more"] if rest > 0 else []
    return [f"## {title}", "", *(f"- {item}" for item in items[:SHOWN]), *more, ""]


def _file(file: ChangedFile) -> str:
    moved = f" from {code(file.old_path)}" if file.old_path and file.old_path != file.path else ""
    size = "binary" if file.binary else f"+{file.added or 0} -{file.deleted or 0}"
    return f"{file.status} {code(file.path)}{moved} ({size})"


def _commit(commit: Commit) -> str:
    return f"`{commit.sha[:12]}` {code(commit.subject)}"
