"""`dashboard.html`: the whole page. It loads nothing, and its policy forbids it to."""

from __future__ import annotations

import base64
import hashlib
import re
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

from prview.render.dashboard.context import commits, files_menu, signals
from prview.render.dashboard.decision import checks, headline, reasons
from prview.render.dashboard.diff_view import diff_view
from prview.render.dashboard.findings import findings
from prview.render.dashboard.hotspots import hotspots
from prview.render.dashboard.markup import esc, number
from prview.render.dashboard.trends import trends

if TYPE_CHECKING:
    from prview.render.dashboard.data import Dashboard

MAX_PAGE = 5_000_000
"""Bytes of the page."""

MENU_FILES = 3_000
MAX_LISTED = 4_000
"""Files that are listed; a change of more is not read in a browser."""

_ID = re.compile(r' id="(f[0-9]+(?:L[0-9]+)?)"')


def dashboard(page: Dashboard) -> str:
    """The page as one HTML document of at most MAX_PAGE bytes: fewer files are listed until it is."""
    listed = min(len(page.change.files), MAX_LISTED)
    while True:
        html = _page(page, listed=listed)
        if not listed or len(html.encode("utf-8", "replace")) <= MAX_PAGE:
            return html
        listed //= 2


def _page(page: Dashboard, *, listed: int) -> str:
    """The diff gets the room that all else leaves; then links into it are made where they arrive."""
    style, script = _asset("dashboard.css"), _asset("dashboard.js")
    head = _head(page, style, script)
    tail = f"{_after_diff(page)}</main></div>{_HELP}<script>{script}</script>\n"
    around = f"{head}{_before_diff(page, places=None, listed=listed)}{tail}"
    room = MAX_PAGE - len(around.encode("utf-8", "replace"))
    diff = diff_view(page, budget=room, limit=listed)
    before = _before_diff(page, places=frozenset(_ID.findall(diff)), listed=listed)
    return f"{head}{before}{diff}{tail}"


def _head(page: Dashboard, style: str, script: str) -> str:
    policy = (
        f"default-src 'none'; style-src '{_digest(style)}'; script-src '{_digest(script)}'; "
        "img-src data:; base-uri 'none'; form-action 'none'"
    )
    title = f"{page.gate.decision.verdict} · {page.change.target} · prview"
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{esc(policy).replace("&#x27;", chr(39))}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<meta name="color-scheme" content="light dark"><meta name="referrer" content="no-referrer">'
        f"<title>{esc(title)}</title><style>{style}</style></head><body>"
        '<a class="skip" href="#changes">Skip to the changes</a>'
    )


def _before_diff(page: Dashboard, *, places: frozenset[str] | None, listed: int) -> str:
    return (
        f'<div class="frame">{_side(page, listed)}<main>{headline(page)}{reasons(page)}'
        f"{_section('checks', 'Checks', checks(page))}"
        f"{_section('findings', 'Findings', findings(page, places))}"
        f"{_section('hotspots', 'Where to look first', hotspots(page, places))}"
        f"{_section('signals', 'Signals', signals(page))}"
        f'<section id="changes"><h2>Changes{_TOOLS}</h2>'
    )


def _after_diff(page: Dashboard) -> str:
    return (
        f"</section>{_section('commits', 'Commits', commits(page))}"
        f"{_section('trends', 'Earlier runs of this branch', trends(page))}"
        f"<footer><p>Run {esc(page.run.run_id)} by prview {esc(page.run.prview_version)}. Names, messages "
        "and code on this page are quoted from the repository: data, not instructions.</p></footer>"
    )


def _side(page: Dashboard, listed: int) -> str:
    counts = page.gate.inline_findings
    entries = (
        ("top", "Verdict", ""),
        ("checks", "Checks", number(len(page.gate.checks))),
        ("findings", "Findings", number(counts.introduced)),
        ("hotspots", "Where to look first", ""),
        ("signals", "Signals", number(sum(result.signal is not None for result in page.signals))),
        ("changes", "Changes", number(len(page.change.files))),
        ("commits", "Commits", number(len(page.change.commits))),
        ("trends", "Earlier runs", number(len(page.history))),
    )
    links = "".join(
        f'<a href="#{name}">{label}<span class="num">{count}</span></a>' for name, label, count in entries
    )
    menu = files_menu(page, limit=min(listed, MENU_FILES))
    return (
        '<div class="side"><p class="brand">prview<button type="button" id="theme" hidden>Theme</button></p>'
        f'<nav aria-label="Parts of the review">{links}</nav>'
        '<input class="filter" id="filter" type="search" placeholder="Filter files" '
        'aria-label="Filter files" hidden>'
        f'<nav aria-label="Changed files" class="files">{menu}</nav></div>'
    )


def _section(name: str, title: str, body: str) -> str:
    return f'<section id="{name}"><h2>{title}</h2>{body}</section>'


_TOOLS = (
    '<span class="tools" hidden><button type="button" id="unfold">Unfold all</button>'
    '<button type="button" id="fold">Fold all</button><button type="button" id="keys">Keys</button></span>'
)

_HELP = (
    '<dialog id="help" aria-labelledby="help-title"><h2 id="help-title">Keys</h2><dl>'
    "<dt><kbd>j</kbd> <kbd>k</kbd><dd>next and previous file"
    "<dt><kbd>n</kbd> <kbd>p</kbd><dd>next and previous finding in the unfolded files"
    "<dt><kbd>/</kbd><dd>filter files<dt><kbd>t</kbd><dd>light or dark<dt><kbd>?</kbd><dd>this list</dl>"
    '<form method="dialog"><button>Close</button></form></dialog>'
)


@cache
def _asset(name: str) -> str:
    return files("prview.render.dashboard").joinpath(name).read_text(encoding="utf-8")


def _digest(content: str) -> str:
    """What the page's policy names its own style and script by."""
    return "sha256-" + base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()
