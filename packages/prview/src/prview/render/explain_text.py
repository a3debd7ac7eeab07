"""`prview explain` for a terminal: reason, evidence, way out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from prview.render.quoting import count, one_line

if TYPE_CHECKING:
    from prview.models.explaining import ExplainResult, Issue


def explain_lines(result: ExplainResult) -> str:
    """The verdict, then every issue with what shows it and how to mend it."""
    lines = [f"{result.verdict}  {result.run_id}", f"{one_line(result.reason)}.", ""]
    for issue in result.issues:
        lines += [*_issue(issue), ""]
    if not result.issues and result.caveats:
        lines += [*(f"note: {one_line(caveat)}" for caveat in result.caveats), ""]
    if not result.issues and not result.caveats:
        lines += ["Nothing stands against this merge.", ""]
    lines += [f"policy: {one_line(result.policy)}", f"pack: {result.pack}"]
    return "\n".join(lines)


def _issue(issue: Issue) -> list[str]:
    lines = [f"{issue.check} {issue.effect}: {one_line(issue.why)}"]
    for item in issue.evidence:
        place = f"{one_line(item.file)}:{item.line}"
        lines.append(f"  {place}  {one_line(item.rule)}  {one_line(item.message)}")
    if issue.more:
        lines.append(f"  and {count(issue.more, 'finding')} more")
    lines += [f"  see {path}" for path in issue.files]
    return [*lines, *(f"  -> {one_line(step)}" for step in issue.fix)]
