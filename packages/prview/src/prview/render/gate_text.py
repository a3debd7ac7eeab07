"""The gate and its failures for people: `MERGE_GATE.md`, `FAILURES_SUMMARY.md`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from prview.domain.decision import place
from prview.render.quoting import code, count, fenced, prose

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from prview.domain.checks import CheckResult
    from prview.domain.decision import Decision
    from prview.domain.findings import Judged
    from prview.models.gate import GateCheck, MergeGate

SHOWN = 50
"""Findings that a list for people names; all are in the check's result."""


def gate_text(gate: MergeGate) -> str:
    """The decision, why, and every check in a table."""
    decision = gate.decision
    lines = [
        f"# Merge gate: {decision.verdict}",
        "",
        f"{prose(decision.decision_reason)}.",
        "",
        f"- Target: {code(gate.target.ref)} at `{gate.target.commit}`",
        *(f"- Base: {code(base.ref)} at `{base.commit}`" for base in gate.bases),
        f"- Analysis: {decision.analysis_status}",
        f"- Recommendation: {decision.merge_recommendation}",
        f"- Allow merge: {'yes' if decision.allow_merge else 'no'}",
        f"- Policy: {gate.policy.mode} (source: {prose(gate.policy.source)})",
        "",
        *_section("Blocking", decision.blocking_issues),
        *_section("Caveats", decision.review_caveats),
        "## Checks",
        "",
        "| Check | Status | Policy | Seconds | Reason |",
        "|---|---|---|---|---|",
        *(_row(check) for check in gate.checks),
    ]
    return "\n".join(lines) + "\n"


def failures_summary(decision: Decision) -> str:
    """What failed, check by check, new things first; or that nothing did."""
    parts = [_failed(weighed.result) for weighed in decision.checks]
    told = [part for part in parts if part]
    return "# Failures\n\n" + ("\n".join(told) if told else "No check failed.\n")


def finding_lines(items: Sequence[Judged]) -> list[str]:
    """The first findings as a list, and how many more there are."""
    shown = [f"- {code(place(item))} {prose(item.finding.message)}" for item in items[:SHOWN]]
    rest = len(items) - SHOWN
    return [*shown, f"- and {rest} more"] if rest > 0 else shown


def _failed(result: CheckResult) -> str:
    if result.status == "PASS" and not (result.preexisting or result.flaky or result.unseen):
        return ""
    if result.status == "SKIPPED" and result.neutral:
        return ""
    lines = [f"## {result.name}: {result.status}", ""]
    lines += [prose(result.reason), ""] if result.reason else []
    lines += [prose(result.unseen), ""] if result.unseen else []
    for title, items in (("Introduced", result.introduced), ("Preexisting", result.preexisting)):
        lines += [f"{title}: {count(len(items), 'finding')}", "", *finding_lines(items), ""] if items else []
    lines += [f"Flaky: {code(test)}" for test in result.flaky]
    if result.state in {"error", "timeout"} and result.log:
        lines += ["The end of its log:", "", fenced("\n".join(result.log.splitlines()[-20:])), ""]
    return "\n".join(lines).rstrip("\n") + "\n"


def _section(title: str, items: Iterable[str]) -> list[str]:
    told = [f"- {prose(item)}" for item in items]
    return [f"## {title}", "", *told, ""] if told else []


def _row(check: GateCheck) -> str:
    reason = prose(check.reason or "").replace("|", "\\|")
    cells = (check.id, check.status, check.policy_conclusion, f"{check.duration_secs:.1f}", reason)
    return f"| {' | '.join(cells)} |"
