"""Which files to read first, and why."""

from __future__ import annotations

from typing import TYPE_CHECKING

from prview.domain.findings import Level
from prview.render.dashboard.markup import counted, esc, link_into, number, shortened, table

if TYPE_CHECKING:
    from prview.domain.change import ChangedFile
    from prview.render.dashboard.data import Dashboard

SHOWN = 10
_WEIGHTS = {Level.ERROR: 60, Level.WARNING: 25, Level.NOTE: 5}
_UNREAD = 20
_MOST_FOR_SIZE = 100
_LINES_A_POINT = 4
_BAR = 120


def hotspots(page: Dashboard, places: frozenset[str] | None) -> str:
    """The files to read first. What the checks found counts most, then size, then that nobody looked."""
    ranked = sorted(page.change.files, key=lambda file: (-_heat(page, file), file.path))
    warm = [file for file in ranked if _heat(page, file) > 0][:SHOWN]
    if not warm:
        return '<p class="quiet">No file stands out.</p>'
    most = _heat(page, warm[0])
    rows = "".join(_hotspot(page, file, most, places) for file in warm)
    return table(("File", "Weight", "Why"), rows)


def _heat(page: Dashboard, file: ChangedFile) -> int:
    if page.aside(file):
        return 0
    found = sum(_WEIGHTS[item.finding.level] for item in page.by_path.get(file.path, ()) if item.introduced)
    size = min(_lines(file) // _LINES_A_POINT, _MOST_FOR_SIZE)
    unread = _UNREAD if file.path in page.unexamined else 0
    return found + size + unread


def _hotspot(page: Dashboard, file: ChangedFile, most: int, places: frozenset[str] | None) -> str:
    heat = _heat(page, file)
    width = max(2, round(heat / most * _BAR))
    bar = (
        f'<svg class="bar" width="{_BAR}" height="10" aria-hidden="true">'
        f'<rect width="{width}" height="10" rx="2"/></svg>'
    )
    where = link_into(places, (page.anchors[file.path],), esc(shortened(file.path)))
    why = [counted(page.introduced(file.path), "new finding")] if page.introduced(file.path) else []
    why += [f"{number(_lines(file))} changed lines"]
    why += ["no check looked at it"] if file.path in page.unexamined else []
    return (
        f'<tr><td class="where">{where}<td>{bar}<span class="hidden">{heat}</span><td>{esc(", ".join(why))}'
    )


def _lines(file: ChangedFile) -> int:
    return (file.added or 0) + (file.deleted or 0)
