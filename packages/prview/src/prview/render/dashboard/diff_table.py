"""The rows of one file's diff, coloured, with findings below the lines that they are about."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mcpkit.text import escape_untrusted
from prview.render.dashboard.highlight import Colours
from prview.render.dashboard.languages import language_of
from prview.render.dashboard.markup import esc, esc_code, number, outward
from prview.render.dashboard.rows import ADDED, CONTEXT, DELETED, NOTE, Hunk, Row

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from prview.domain.change import ChangedFile
    from prview.domain.findings import Judged
    from prview.render.dashboard.data import Dashboard
    from prview.render.dashboard.languages import Language

MAX_LINE = 2_000
"""Characters of one line that are shown."""

MAX_MESSAGE = 500
"""Characters of a finding's message that are shown."""

_SIDES = {CONTEXT: "no", ADDED: "n", DELETED: "o"}
_CR = '<i class="cut"> CR</i>'


def diff_table(page: Dashboard, file: ChangedFile, found: Sequence[Hunk]) -> str:
    """All hunks. A line with findings has the id `<file's anchor>L<line>`.

    End tags of cells and rows may be left out in HTML; in a large diff they would be a third of it.
    """
    notes: dict[int, list[Judged]] = {}
    for item in page.by_path.get(file.path, ()):
        notes.setdefault(item.finding.line, []).append(item)
    anchor = page.anchors[file.path]
    head = (
        f'<table class="diff" aria-label="Changes of {esc(file.path)}"><colgroup><col><col><col></colgroup>'
    )
    rows = (part for hunk in found for part in _hunk(hunk, language_of(file.path), notes, anchor))
    return "".join((head, *rows, "</table>"))


def remark(item: Judged, *, where: str = "", place: str = "") -> str:
    """One finding. `where` names its line for people, `place` is its id in the page."""
    finding = item.finding
    origin = "new" if item.introduced else "was there before"
    rule = outward(finding.help_uri, esc(finding.rule_id))
    line = f'<span class="where">{esc(where)}</span>' if where else ""
    target = f' id="{place}"' if place else ""
    long = len(finding.message) > MAX_MESSAGE
    message = esc(finding.message[:MAX_MESSAGE] + "…" if long else finding.message)
    return (
        f'<div class="remark {finding.level.value}{"" if item.introduced else " old"}"{target}>'
        f'<span class="lvl">{finding.level.value}</span>{line}<span class="msg">{message}</span> '
        f'<span class="rule">{rule}</span> <span class="origin">{origin}</span></div>'
    )


def _hunk(
    hunk: Hunk, language: Language | None, notes: dict[int, list[Judged]], anchor: str
) -> Iterator[str]:
    first = next((row.new or row.old for row in hunk.rows), 0)
    heading = f" · {esc(_shown(hunk.heading.text))}" if hunk.heading.text else ""
    yield f'<tr class="h"><td colspan="3">line {first}{heading}'
    texts = _texts(hunk)
    colours = Colours(language, texts)
    for row, safe in zip(hunk.rows, texts, strict=True):
        here = notes.get(row.new, ()) if row.new else ()
        yield _row(row, safe, colours, anchor if here else "")
        for item in here:
            yield f'<tr class="f"><td colspan="3">{remark(item)}'


def _row(row: Row, safe: str, colours: Colours, anchor: str) -> str:
    if row.kind == NOTE:
        return f"<tr class=x><td><td><td>{safe}"
    place = f' id="{anchor}L{row.new}"' if anchor else ""
    code = colours.line(safe, _SIDES[row.kind])
    return f"<tr class={row.kind}{place}><td>{row.old or ''}<td>{row.new or ''}<td>{code}{_rest(row.text)}"


def _texts(hunk: Hunk) -> list[str]:
    """The lines as HTML without colours: all at once, which is several times faster than one by one."""
    lines = [row.text[:MAX_LINE].removesuffix("\r") for row in hunk.rows]
    whole = "\n".join(lines)
    if "\r" in whole:  # before a line end it would pass for a part of that
        return [esc_code(escape_untrusted(line)) for line in lines]
    return esc_code(escape_untrusted(whole)).split("\n")


def _shown(text: str) -> str:
    return escape_untrusted(text[:MAX_LINE].removesuffix("\r"))


def _rest(text: str) -> str:
    """What is not shown of a line: its end when it is long, or that it ends with a CR."""
    if len(text) > MAX_LINE:
        return f'<i class="cut">… {number(len(text) - MAX_LINE)} more characters</i>'
    return _CR if text.endswith("\r") else ""
