"""How the branch did in earlier runs: a drawing for the eye, a table for everybody."""

from __future__ import annotations

from typing import TYPE_CHECKING

from prview.render.dashboard.data import PastRun
from prview.render.dashboard.markup import esc, table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from prview.render.dashboard.data import Dashboard

SHOWN = 20
_WIDTH, _GAP, _HEIGHT = 24, 8, 64


def trends(page: Dashboard) -> str:
    """This run after the earlier ones; one sentence when it is the first."""
    runs = [*page.history, _this(page)][-SHOWN:]
    if len(runs) == 1:
        return '<p class="quiet">This is the first review of this branch that is kept.</p>'
    rows = "".join(_row(run) for run in runs[::-1])
    return _drawing(runs) + table(("Run", "Verdict", "#New", "#Old", "#Files", "Commit"), rows)


def _this(page: Dashboard) -> PastRun:
    counts = page.gate.inline_findings
    return PastRun(
        run_id=page.run.run_id,
        commit=page.run.commit,
        verdict=page.gate.decision.verdict,
        generated_at=page.run.generated_at,
        introduced=counts.introduced,
        preexisting=counts.preexisting,
        files_changed=page.run.files_changed,
    )


def _drawing(runs: Sequence[PastRun]) -> str:
    """Columns of new findings, coloured by the verdict; the height of one without any shows that it ran."""
    most = max(run.introduced for run in runs) or 1
    width = len(runs) * (_WIDTH + _GAP)
    columns = "".join(_column(place, run, most) for place, run in enumerate(runs))
    label = f"New findings of the last {len(runs)} runs, the oldest first: {', '.join(map(_said, runs))}"
    return (
        f'<svg class="trend" role="img" aria-label="{esc(label)}" viewBox="0 0 {width} {_HEIGHT + 20}" '
        f'width="{width}" height="{_HEIGHT + 20}">{columns}</svg>'
    )


def _column(place: int, run: PastRun, most: int) -> str:
    height = max(3, round(run.introduced / most * _HEIGHT))
    left = place * (_WIDTH + _GAP)
    return (
        f'<g class="v-{esc(run.verdict)}"><title>{esc(f"{run.run_id}: {_said(run)}")}</title>'
        f'<rect x="{left}" y="{_HEIGHT - height + 2}" width="{_WIDTH}" height="{height}" rx="2"/>'
        f'<text x="{left + _WIDTH // 2}" y="{_HEIGHT + 16}" text-anchor="middle">{run.introduced}</text></g>'
    )


def _said(run: PastRun) -> str:
    return f"{run.verdict} with {run.introduced} new"


def _row(run: PastRun) -> str:
    return (
        f'<tr><td>{esc(run.generated_at[:16].replace("T", " "))}<td><span class="pill v-{esc(run.verdict)}">'
        f'{esc(run.verdict)}</span><td class="num">{run.introduced}<td class="num">{run.preexisting}'
        f'<td class="num">{run.files_changed}<td><code>{esc(run.commit[:7])}</code>'
    )
