"""What the signals had to say, the commits, and the menu of files."""

from __future__ import annotations

from typing import TYPE_CHECKING

from prview.render.dashboard.data import tone
from prview.render.dashboard.markup import counted, esc, link, listed, number, shortened

if TYPE_CHECKING:
    from prview.domain.change import ChangedFile
    from prview.domain.signals import SignalResult
    from prview.render.dashboard.data import Dashboard

MAX_COMMITS = 200
MAX_POINTS = 20
MAX_DOCUMENT = 20_000
"""Characters of a signal's document that are shown; the file in the pack has all of it."""


def signals(page: Dashboard) -> str:
    """What each signal had to say, its documents folded away."""
    told = [_signal(result) for result in page.signals if result.signal or result.reason]
    return "".join(told) or '<p class="quiet">No signal had anything to say.</p>'


def _signal(result: SignalResult) -> str:
    said = result.signal
    new = len(said.findings) if said else 0
    shade = tone(finding.level for finding in said.findings) if said else ""
    badge = f'<span class="badge {shade}">{counted(new, "finding")}</span>' if new else ""
    look = '<span class="badge warn">asks for a look</span>' if said and said.escalates else ""
    documents = "".join(_document(artifact.path, artifact.text) for artifact in result.artifacts)
    limits = listed(esc(limit) for limit in result.limits)
    points = listed(
        _point(item.path, item.line, item.message) for item in (said.findings[:MAX_POINTS] if said else ())
    )
    return (
        f'<details class="signal"><summary>{esc(result.title)}{badge}{look}</summary>'
        f"{points}{limits}{documents}</details>"
    )


def _point(path: str, line: int, message: str) -> str:
    return f"<code>{esc(path)}:{line}</code> {esc(message[:500])}"


def _document(path: str, text: str) -> str:
    cut = text if len(text) <= MAX_DOCUMENT else text[:MAX_DOCUMENT] + "\n… (the file has all of it)"
    return f'<p>{link(path, esc(path))}</p><pre tabindex="0">{esc(cut)}</pre>'


def commits(page: Dashboard) -> str:
    """The commits of the range, the newest first."""
    shown = page.change.commits[::-1][:MAX_COMMITS]
    rest = len(page.change.commits) - len(shown)
    items = [
        f'<code>{esc(one.sha[:10])}</code> {esc(one.subject)} <span class="quiet">{esc(one.author)}</span>'
        for one in shown
    ]
    more = [f"and {number(rest)} more in 00_summary/commit-list.txt"] if rest > 0 else []
    return listed([*items, *more], kind="commits") or '<p class="quiet">No commit.</p>'


def files_menu(page: Dashboard, *, limit: int) -> str:
    """Links to the changed files, as many as there is room for."""
    items = [_menu_entry(page, file) for file in page.change.files[:limit]]
    rest = len(page.change.files) - limit
    return listed(items, kind="menu") + (f"<p>and {number(rest)} more below</p>" if rest > 0 else "")


def _menu_entry(page: Dashboard, file: ChangedFile) -> str:
    folder, _, name = file.path.rpartition("/")
    new = page.introduced(file.path)
    badge = f'<span class="badge {page.tone(file.path)}" title="new findings">{new}</span>' if new else ""
    where = f'<span class="dir">{esc(shortened(folder))}/</span>' if folder else ""
    status = f'<span class="st st-{esc(file.status)}">{esc(file.status)}</span>'
    return (
        f'<a href="#{page.anchors[file.path]}" title="{esc(shortened(file.path))}">{status}'
        f'<span class="name">{esc(shortened(name))}{where}</span>{badge}</a>'
    )
