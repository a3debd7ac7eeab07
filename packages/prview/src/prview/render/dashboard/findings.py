"""All findings in one table, each with a link to its line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from prview.domain.gate import SARIF_PATH
from prview.render.dashboard.markup import counted, esc, link, link_into, number, outward, shortened, table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from prview.domain.findings import Judged
    from prview.render.dashboard.data import Dashboard

MAX_FINDINGS = 300
MAX_MESSAGE = 500


def findings(page: Dashboard, places: frozenset[str] | None) -> str:
    """Introduced findings file by file, then how many there were before."""
    new = [item for item in page.judged if item.introduced]
    old = [item for item in page.judged if not item.introduced]
    parts = [_finding_table(page, new, places) if new else '<p class="quiet">The change brings none.</p>']
    if old:
        were = "was" if len(old) == 1 else "were"
        summary = f"{counted(len(old), 'finding')} that {were} there before"
        parts.append(f"<details><summary>{summary}</summary>{_finding_table(page, old, places)}</details>")
    return "".join(parts)


def _finding_table(page: Dashboard, items: Sequence[Judged], places: frozenset[str] | None) -> str:
    rows = "".join(_finding(page, item, places) for item in items[:MAX_FINDINGS])
    rest = len(items) - MAX_FINDINGS
    file = link(SARIF_PATH, "the SARIF file")
    more = f"<p>and {number(rest)} more in {file}</p>" if rest > 0 else ""
    return table(("Level", "Where", "What", "Rule"), rows, kind="findings") + more


def _finding(page: Dashboard, item: Judged, places: frozenset[str] | None) -> str:
    finding = item.finding
    label = f"{esc(shortened(finding.path))}<wbr>:{finding.line}"
    anchor = page.anchors.get(finding.path)
    where = link_into(places, (f"{anchor}L{finding.line}", anchor), label) if anchor else label
    long = len(finding.message) > MAX_MESSAGE
    message = finding.message[:MAX_MESSAGE] + "…" if long else finding.message
    level = finding.level.value
    return (
        f'<tr class="{level}"><td><span class="lvl">{level}</span><td class="where">{where}'
        f'<td class="told">{esc(message)}'
        f'<td class="rule">{outward(finding.help_uri, esc(finding.rule_id))}'
    )
