"""The diff, file by file, with the findings at their lines, in a bounded number of bytes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from prview.render.dashboard.diff_table import diff_table, remark
from prview.render.dashboard.markup import esc, lines_changed, link, megabytes, number, shortened
from prview.render.dashboard.rows import hunks
from prview.store.paths import PATCH

if TYPE_CHECKING:
    from prview.domain.change import ChangedFile
    from prview.render.dashboard.data import Dashboard

MAX_PATCH = 500_000
"""Bytes of a file's patch that is shown; its HTML is about twice as large."""

OPEN_LINES = 250
"""A file with more lines is closed at first, unless the change brings findings to it."""

OPEN_LINES_IN_ALL = 2_500
MAX_ELSEWHERE = 50
"""Findings outside of the shown diff that are listed at its file."""

MAX_UNSHOWN = 1
"""The same where no diff is shown; the table of findings has more."""

_ROW = 24
"""Bytes of markup around a line: `<tr class=a><td><td><td>`."""

_HEADER_LINES = 8
_NO_ROOM = "This page has no more room for its diff."


@dataclass(frozen=True)
class _Shown:
    """A file's diff: HTML and its lines, or why there is none."""

    html: str = ""
    lines: int = 0
    reason: str = ""


def diff_view(page: Dashboard, *, budget: int, limit: int) -> str:
    """The first `limit` changed files in git's order, in about `budget` bytes.

    Room is given to files with new findings first. A file without room, or without text, is listed with the
    reason and with where to read it.
    """
    listed = page.change.files[:limit]
    entries = {file.path: _entry(page, file, _Shown(reason=_why_not(file) or _NO_ROOM)) for file in listed}
    left = budget - sum(map(_size, entries.values()))
    opened = 0
    for file in sorted(listed, key=lambda file: -page.introduced(file.path)):
        if _why_not(file) or _at_least(file) > left:
            continue
        shown = _shown(page, file)
        opens = _opens(page, file, shown.lines, opened)
        made = _entry(page, file, shown, opened=opens)
        more = _size(made) - _size(entries[file.path])
        if more <= left:
            entries[file.path] = made
            left -= more
            opened += shown.lines if opens else 0
    rest = len(page.change.files) - len(listed)
    tail = f"<p>and {number(rest)} more files: see {link(PATCH, PATCH)}</p>" if rest else ""
    return "".join(entries.values()) + tail


def _at_least(file: ChangedFile) -> int:
    """Bytes that a file's diff certainly takes: so that nothing is made only to be thrown away."""
    return len(file.patch) + _ROW * (file.patch.count(b"\n") - _HEADER_LINES)


def _size(html: str) -> int:
    return len(html) if html.isascii() else len(html.encode("utf-8", "replace"))


def _opens(page: Dashboard, file: ChangedFile, lines: int, before: int) -> bool:
    if not lines or before > OPEN_LINES_IN_ALL:
        return False
    return page.introduced(file.path) > 0 or (not page.aside(file) and lines <= OPEN_LINES)


def _why_not(file: ChangedFile) -> str:
    """Why a diff is not shown although there is room."""
    if file.binary:
        return "It is binary."
    if len(file.patch) > MAX_PATCH:
        return f"Its diff of {megabytes(len(file.patch))} is more than this page shows of one file."
    if b"\n@@ " not in file.patch and not file.patch.startswith(b"@@ "):
        return _without_lines(file)
    return ""


def _without_lines(file: ChangedFile) -> str:
    if file.old_mode != file.new_mode and file.status in {"M", "R", "T"}:
        return f"No line changed; its mode went from {file.old_mode} to {file.new_mode}."
    return "It was renamed without a changed line." if file.status == "R" else "It has no lines."


def _shown(page: Dashboard, file: ChangedFile) -> _Shown:
    found = hunks(file.patch)
    return _Shown(diff_table(page, file, found), sum(len(hunk.rows) for hunk in found))


def _entry(page: Dashboard, file: ChangedFile, shown: _Shown, *, opened: bool = False) -> str:
    new = page.introduced(file.path)
    body = _elsewhere(page, file, shown) + (shown.html or _unshown(page, file, shown.reason))
    return (
        f'<details class="file" id="{page.anchors[file.path]}"{" open" if opened else ""}>'
        f"<summary>{_heading(page, file, new)}</summary>{body}</details>"
    )


def _heading(page: Dashboard, file: ChangedFile, new: int) -> str:
    moved = f'<span class="was">{esc(shortened(file.old_path))} → </span>' if file.old_path else ""
    badge = f'<span class="badge {page.tone(file.path)}">{new} new</span>' if new else ""
    aside = page.aside(file)
    outside = f'<span class="badge">{esc(aside)}</span>' if aside else ""
    return (
        f'<span class="st st-{esc(file.status)}">{esc(file.status)}</span>'
        f'<span class="path">{moved}{esc(shortened(file.path))}</span>'
        f'{badge}{outside}<span class="size">{lines_changed(file.added, file.deleted)}</span>'
    )


def _unshown(page: Dashboard, file: ChangedFile, reason: str) -> str:
    own = page.patches.get(file.path, PATCH)
    return f'<p class="unshown">{esc(reason)} Not shown here: see {link(own, esc(own))}.</p>'


def _elsewhere(page: Dashboard, file: ChangedFile, shown: _Shown) -> str:
    """Findings whose lines are not in the diff that is shown; a few of them when none is."""
    in_diff = page.lines_of(file) if shown.html else frozenset()
    items = [item for item in page.by_path.get(file.path, ()) if item.finding.line not in in_diff]
    if not items:
        return ""
    anchor, seen, notes = page.anchors[file.path], set(in_diff), []
    limit = MAX_ELSEWHERE if shown.html else MAX_UNSHOWN
    for item in items[:limit]:
        line = item.finding.line
        notes.append(remark(item, where=f"line {line}", place="" if line in seen else f"{anchor}L{line}"))
        seen.add(line)
    rest = f"<p>and {len(items) - limit} more</p>" if len(items) > limit else ""
    where = "On lines outside of this diff" if shown.html else "Found in this file"
    return f'<div class="elsewhere"><p>{where}</p>{"".join(notes)}{rest}</div>'
