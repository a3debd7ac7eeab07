"""Which files to read first, and why."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from prview.domain.findings import Level
from prview.render.dashboard.markup import counted, esc, link_into, shortened, table

if TYPE_CHECKING:
    from prview.domain.change import ChangedFile
    from prview.render.dashboard.data import Dashboard

SIGNAL = "hotspots"
"""The signal whose scores are taken where it spoke; size stands in for them where it did not."""

SHOWN = 10
_WEIGHTS = {Level.ERROR: 60, Level.WARNING: 25, Level.NOTE: 5}
_UNREAD = 20
_MOST_FOR_SIZE = 100
_LINES_A_POINT = 4
_BAR = 120


@dataclass(frozen=True)
class _Risk:
    """What history says of a file: 0 to 100, and how often it was changed and fixed before."""

    score: int
    commits: int
    fixes: int


def hotspots(page: Dashboard, places: frozenset[str] | None) -> str:
    """The files to read first: what the checks found counts most, then risk, then that nobody looked."""
    risks = _risks(page)
    heats = {file.path: _heat(page, file, risks.get(file.path)) for file in page.change.files}
    ranked = sorted(page.change.files, key=lambda file: (-heats[file.path], file.path))[:SHOWN]
    warm = [file for file in ranked if heats[file.path] > 0]
    if not warm:
        return '<p class="quiet">No file stands out.</p>'
    most = heats[warm[0].path]
    rows = "".join(
        _hotspot(
            _why(page, file, risks.get(file.path)),
            share=heats[file.path] / most,
            label=link_into(places, (page.anchors[file.path],), esc(shortened(file.path))),
        )
        for file in warm
    )
    return table(("File", "Weight", "Why"), rows)


def _risks(page: Dashboard) -> dict[str, _Risk]:
    """What the signal about hotspots says of each file, if it spoke."""
    said = next((result.signal for result in page.signals if result.kind == SIGNAL and result.signal), None)
    files = said.data.get("files") if said else None
    found: dict[str, _Risk] = {}
    for entry in files if isinstance(files, list) else ():
        if isinstance(entry, dict) and isinstance(entry.get("path"), str):
            numbers = {name: value for name, value in entry.items() if isinstance(value, int)}
            found[str(entry["path"])] = _Risk(
                score=numbers.get("score", 0),
                commits=numbers.get("commits", 0),
                fixes=numbers.get("fixes", 0),
            )
    return found


def _heat(page: Dashboard, file: ChangedFile, risk: _Risk | None) -> int:
    if page.aside(file):
        return 0
    found = sum(_WEIGHTS[item.finding.level] for item in page.by_path.get(file.path, ()) if item.introduced)
    size = risk.score if risk else min(_lines(file) // _LINES_A_POINT, _MOST_FOR_SIZE)
    return found + size + (_UNREAD if file.path in page.unexamined else 0)


def _why(page: Dashboard, file: ChangedFile, risk: _Risk | None) -> str:
    new = page.introduced(file.path)
    parts = [counted(new, "new finding")] if new else []
    parts.append(counted(_lines(file), "changed line"))
    if risk and risk.commits:
        fixes = f" ({risk.fixes} of them fixes)" if risk.fixes else ""
        parts.append(f"{counted(risk.commits, 'earlier commit')}{fixes}")
    parts += ["no check looked at it"] if file.path in page.unexamined else []
    return ", ".join(parts)


def _hotspot(why: str, *, share: float, label: str) -> str:
    width = max(2, round(share * _BAR))
    bar = (
        f'<svg class="bar" width="{_BAR}" height="10" aria-hidden="true">'
        f'<rect width="{width}" height="10" rx="2"/></svg>'
    )
    return f'<tr><td class="where">{label}<td>{bar}<span class="hidden">{share:.0%}</span><td>{esc(why)}'


def _lines(file: ChangedFile) -> int:
    return (file.added or 0) + (file.deleted or 0)
