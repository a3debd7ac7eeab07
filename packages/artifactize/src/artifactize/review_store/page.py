"""The page for people: the newest verdicts, read-only, in one file without a script."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING
from urllib.parse import urlencode

if TYPE_CHECKING:
    from artifactize.models.review_store import Listed, Stored

PAGE_HEADERS = {
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
    "Cache-Control": "no-store",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}
_STYLE = """
:root { color-scheme: light dark; --line: #8884; --green: #176f2c; --red: #b3261e; }
@media (prefers-color-scheme: dark) { :root { --green: #6fd58b; --red: #ff8a80; } }
body { font: 15px/1.5 system-ui, sans-serif; margin: 0 auto; max-width: 70rem; padding: 1rem; }
nav a { margin-right: 1rem; } p { overflow-wrap: anywhere; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; padding: .35rem .6rem; border-bottom: 1px solid var(--line); vertical-align: top; }
.GREEN { color: var(--green); font-weight: 600; } .RED { color: var(--red); font-weight: 600; }
td { white-space: nowrap; }
td.said { min-width: 14rem; max-width: 26rem; overflow-wrap: anywhere; white-space: pre-wrap; }
code { font-size: .9em; }
"""
_COLUMNS = ("No.", "Verdict", "Eval", "Kind", "What it said", "By", "Received (UTC)", "Key")


def page_of(found: Listed, *, token: str, verdict: str | None, key: str | None) -> str:
    """Return the HTML of some entries, newest first."""
    shown = "".join(_row(each) for each in found.entries)
    heads = "".join(f'<th scope="col">{head}</th>' for head in _COLUMNS)
    table = f'<div class="scroll"><table><thead><tr>{heads}</tr></thead><tbody>{shown}</tbody></table></div>'
    body = table if found.entries else "<p>Nothing has been put yet that fits.</p>"
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>Review store</title><style>{_STYLE}</style></head><body><h1>Review store</h1>"
        f"{_navigation(verdict)}<p>You are <b>{escape(token)}</b>. Newest first"
        f"{_only(verdict, key)}.</p>{body}{_older(found, verdict, key)}</body></html>"
    )


def _navigation(verdict: str | None) -> str:
    choices = ((None, "All"), ("GREEN", "GREEN"), ("RED", "RED"))
    links = (
        f'<a href="{_address(verdict=choice)}"{" aria-current=page" if choice == verdict else ""}>{words}</a>'
        for choice, words in choices
    )
    return f"<nav>{''.join(links)}</nav>"


def _only(verdict: str | None, key: str | None) -> str:
    only = [f"only {verdict}"] if verdict else []
    only += [f"only the key <code>{escape(key)}</code>"] if key else []
    return "".join(f", {each}" for each in only)


def _row(stored: Stored) -> str:
    entry = stored.entry
    cells = (
        str(stored.sequence),
        f'<span class="{entry.verdict}">{entry.verdict}</span>',
        escape(entry.eval),
        entry.kind,
        escape(entry.message or ""),
        escape(" ".join(filter(None, (entry.reviewer, entry.model, f"({stored.published_by})")))),
        f'<time datetime="{escape(stored.received_at)}">{escape(_moment(stored.received_at))}</time>',
        f'<a href="{_address(key=entry.key)}"><code>{entry.key[:12]}</code></a>',
    )
    said = 4
    return (
        "<tr>"
        + "".join(
            f'<td class="said">{cell}</td>' if number == said else f"<td>{cell}</td>"
            for number, cell in enumerate(cells)
        )
        + "</tr>"
    )


def _moment(text: str) -> str:
    """A moment to the second, in UTC as it came."""
    return text[:19].replace("T", " ")


def _older(found: Listed, verdict: str | None, key: str | None) -> str:
    if not found.more or not found.entries:
        return ""
    before = str(found.entries[-1].sequence)
    return f'<p><a rel="next" href="{_address(verdict=verdict, key=key, before=before)}">Older ones</a></p>'


def _address(**parameters: str | None) -> str:
    given = {name: value for name, value in parameters.items() if value}
    return escape("/?" + urlencode(given) if given else "/")
