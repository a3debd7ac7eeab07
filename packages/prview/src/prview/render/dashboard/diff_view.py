"""The diff, file by file, with the findings at their lines, in a bounded number of bytes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from prview.render.dashboard.diff_table import diff_table, remark
from prview.render.dashboard.markup import esc, lines_changed, link, megabytes, number
from prview.render.dashboard.rows import hunks
from prview.store.paths import PATCH

if TYPE_CHECKING:
    from prview.domain.change import ChangedFile
    from prview.render.dashboard.data import Dashboard

MAX_FILE = 1_000_000
"""Bytes of HTML that one file's diff may take."""

OPEN_LINES = 250
"""A file with more lines is closed at first, unless the change brings findings to it."""

OPEN_LINES_IN_ALL = 2_500
MAX_ELSEWHERE = 50
"""Findings outside of the shown diff that are listed at its file."""


@dataclass(frozen=True)
class _Shown:
    """A file's diff: HTML and its lines, or why there is none."""

    html: str = ""
    lines: int = 0
    reason: str | None = None


def diff_view(page: Dashboard, *, budget: int, limit: int) -> str:
    """The first `limit` changed files in git's order; bytes are given to files with new findings first.

    A file without room, or without text, is listed with the reason and with where to read it.
    """
    listed = page.change.files[:limit]
    order = sorted(listed, key=lambda file: (-page.introduced(file.path), page.anchors[file.path]))
    left, shown = budget, {}
    for file in order:
        made = _shown(page, file, room=left)
        shown[file.path] = made
        left -= len(made.html.encode("utf-8", "replace"))
    parts, open_lines = [], 0
    for file in listed:
        made = shown[file.path]
        opened = bool(made.html) and _opens(page, file, made.lines, open_lines)
        open_lines += made.lines if opened else 0
        parts.append(_file(page, file, made, opened=opened))
    rest = len(page.change.files) - len(listed)
    more = f"<p>and {number(rest)} more files: see {link(PATCH, PATCH)}</p>" if rest else ""
    return "".join((*parts, more))


def _opens(page: Dashboard, file: ChangedFile, lines: int, before: int) -> bool:
    if page.introduced(file.path):
        return before <= OPEN_LINES_IN_ALL
    return not page.aside(file) and lines <= OPEN_LINES and before + lines <= OPEN_LINES_IN_ALL


def _shown(page: Dashboard, file: ChangedFile, *, room: int) -> _Shown:
    if file.binary:
        return _Shown(reason="It is binary.")
    found = hunks(file.patch)
    if not found:
        return _Shown(reason=_without_lines(file))
    if len(file.patch) > min(MAX_FILE, room):
        return _Shown(reason=_too_large(file, room))
    html = diff_table(page, file, found)
    size = len(html.encode("utf-8", "replace"))
    if size > min(MAX_FILE, room):
        return _Shown(reason=_too_large(file, room))
    return _Shown(html, sum(len(hunk.rows) for hunk in found))


def _without_lines(file: ChangedFile) -> str:
    if file.old_mode != file.new_mode and file.status in {"M", "R", "T"}:
        return f"No line changed; its mode went from {file.old_mode} to {file.new_mode}."
    return "It was renamed without a changed line." if file.status == "R" else "It has no lines."


def _too_large(file: ChangedFile, room: int) -> str:
    if room < MAX_FILE:
        return f"This page has no more room for its {megabytes(len(file.patch))} of diff."
    return f"Its diff of {megabytes(len(file.patch))} is more than this page shows of one file."


def _file(page: Dashboard, file: ChangedFile, shown: _Shown, *, opened: bool) -> str:
    anchor = page.anchors[file.path]
    body = _elsewhere(page, file, shown) + (shown.html or _unshown(page, file, shown.reason or ""))
    new = page.introduced(file.path)
    return (
        f'<details class="file" id="{anchor}" data-new="{new}"{" open" if opened else ""}>'
        f"<summary>{_heading(page, file, new)}</summary>{body}</details>"
    )


def _heading(page: Dashboard, file: ChangedFile, new: int) -> str:
    moved = f'<span class="was">{esc(file.old_path)} → </span>' if file.old_path else ""
    badge = f'<span class="badge bad">{new} new</span>' if new else ""
    aside = page.aside(file)
    outside = f'<span class="badge">{esc(aside)}</span>' if aside else ""
    return (
        f'<span class="st st-{esc(file.status)}">{esc(file.status)}</span>'
        f'<span class="path">{moved}{esc(file.path)}</span>'
        f'{badge}{outside}<span class="size">{lines_changed(file.added, file.deleted)}</span>'
    )


def _unshown(page: Dashboard, file: ChangedFile, reason: str) -> str:
    own = page.patches.get(file.path)
    return (
        f'<p class="unshown">{esc(reason)} Not shown here: see {link(own or PATCH, esc(own or PATCH))}.</p>'
    )


def _elsewhere(page: Dashboard, file: ChangedFile, shown: _Shown) -> str:
    """Findings whose lines are not in the diff that is shown."""
    in_diff = page.lines_of(file) if shown.html else frozenset()
    items = [item for item in page.by_path.get(file.path, ()) if item.finding.line not in in_diff]
    if not items:
        return ""
    anchor, seen, notes = page.anchors[file.path], set(in_diff), []
    for item in items[:MAX_ELSEWHERE]:
        line = item.finding.line
        notes.append(remark(item, where=f"line {line}", place="" if line in seen else f"{anchor}L{line}"))
        seen.add(line)
    rest = f"<p>and {len(items) - MAX_ELSEWHERE} more</p>" if len(items) > MAX_ELSEWHERE else ""
    where = "On lines outside of this diff" if shown.html else "Found in this file"
    return f'<div class="elsewhere"><p>{where}</p>{"".join(notes)}{rest}</div>'
