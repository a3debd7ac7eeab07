"""The decision and the checks that it was derived from."""

from __future__ import annotations

from typing import TYPE_CHECKING

from prview.domain.gate import log_path, result_path
from prview.render.dashboard.markup import counted, esc, lines_changed, link, listed, number, table

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from prview.domain.decision import Weighed
    from prview.models.gate import GateCheck
    from prview.render.dashboard.data import Dashboard

MAX_REASONS = 50
_SKIPPED = "SKIPPED"

_WORDS = {
    "PASS": "Ready to merge",
    "CONDITIONAL": "Needs a look by a person",
    "BLOCK": "Do not merge",
}


def headline(page: Dashboard) -> str:
    """Verdict, sentence, size."""
    change, decision = page.change, page.gate.decision
    bases = ", ".join(f"<b>{esc(base.ref)}</b>" for base in change.bases)
    counts = page.gate.inline_findings
    added = sum(file.added or 0 for file in change.files)
    deleted = sum(file.deleted or 0 for file in change.files)
    made = esc(page.run.generated_at[:16].replace("T", " "))
    facts = (
        counted(len(change.commits), "commit"),
        f"{counted(len(change.files), 'file')} {lines_changed(added, deleted)}",
        f"{counted(counts.introduced, 'new finding')}, {number(counts.preexisting)} old",
        f"{esc(page.run.profile)} profile",
        f'<time datetime="{esc(page.run.generated_at)}">{made} UTC</time>',
    )
    return (
        f'<header class="verdict v-{esc(decision.verdict)}" id="top">'
        f'<p class="word">{esc(decision.verdict)}<span>{_WORDS[decision.verdict]}</span></p>'
        f"<h1><b>{esc(change.target)}</b> against {bases}</h1>"
        f'<p class="why">{esc(decision.decision_reason)}.</p>{listed(facts, kind="facts")}'
        f'<p class="range">Reviewed range '
        f"<code>{esc(change.merge_base[:12])}..{esc(change.head[:12])}</code> · "
        f"analysis {esc(decision.analysis_status)} · "
        f"policy {esc(page.gate.policy.mode)} from {esc(page.gate.policy.source)}</p></header>"
    )


def reasons(page: Dashboard) -> str:
    """What blocks, and what a reader should know before believing the verdict."""
    decision = page.gate.decision
    return _reasons("Blocks this merge", decision.blocking_issues, "bad") + _reasons(
        "Worth knowing", decision.review_caveats, "warn"
    )


def _reasons(title: str, items: Sequence[str], kind: str) -> str:
    if not items:
        return ""
    rest = len(items) - MAX_REASONS
    more = [f"and {rest} more in 00_summary/MERGE_GATE.json"] if rest > 0 else []
    shown = listed(esc(item) for item in [*items[:MAX_REASONS], *more])
    return f'<div class="box {kind}"><h3>{title}</h3>{shown}</div>'


def checks(page: Dashboard) -> str:
    """Every check of the gate: those that looked in a table, and folded away those with nothing to look at.

    What was left out on purpose is named among the reasons above, too.
    """
    both = list(zip(page.gate.checks, page.decision.checks, strict=True))
    idle = [pair for pair in both if pair[0].status == _SKIPPED]
    shown = _check_table(pair for pair in both if pair[0].status != _SKIPPED)
    if not idle:
        return shown
    summary = f"{counted(len(idle), 'check')} had nothing to look at, or {_were(len(idle))} left out"
    return f"{shown}<details><summary>{summary}</summary>{_check_table(idle)}</details>"


def _were(count: int) -> str:
    return "was" if count == 1 else "were"


def _check_table(pairs: Iterable[tuple[GateCheck, Weighed]]) -> str:
    rows = "".join(_check(check, weighed) for check, weighed in pairs)
    return table(("Check", "Status", "Policy", "What happened", "#Time", "Read"), rows, kind="checks")


def _check(check: GateCheck, weighed: Weighed) -> str:
    links = [link(result_path(check.id), "result")]
    links += [link(log_path(check.id), "log")] if check.log else []
    told = " · ".join(part for part in (check.reason, weighed.result.unseen) if part)
    status = f'<span class="pill s-{esc(check.status)}">{esc(check.status)}</span>'
    return (
        f'<tr><th scope="row">{esc(check.name)}<td>{status}<td>{esc(check.policy_conclusion)}'
        f'<td class="told">{esc(told)}<td class="num">{check.duration_secs:.1f} s'
        f'<td class="links">{" ".join(links)}'
    )
