"""BREAKING_CHANGES.md: what breaks, where, how it was and is, and what callers run into."""

from __future__ import annotations

from typing import TYPE_CHECKING

from prview.domain.findings import Level
from prview.render.quoting import code, count, one_line

if TYPE_CHECKING:
    from collections.abc import Sequence

    from prview.domain.breaking.changes import Break

PATH = "20_quality/BREAKING_CHANGES.md"
SHOWN = 400
"""Changes that the document describes; report.json and the SARIF file have all of them."""


def breaking_document(breaks: Sequence[Break], limits: Sequence[str]) -> str:
    """The document. Text of the repository is quoted in it, never markup of it."""
    certain = [item for item in breaks if item.level is not Level.NOTE and not item.heuristic]
    by_pattern = [item for item in breaks if item.level is not Level.NOTE and item.heuristic]
    notes = [item for item in breaks if item.level is Level.NOTE]
    lines = ["# Breaking changes", "", _summary(certain, by_pattern, notes), ""]
    lines += _section("Callers fail", "", certain)
    lines += _section(
        "Found by pattern",
        "Nothing of this was read as its language: look before you rely on it.",
        by_pattern,
    )
    lines += _section("Worth a look", "May be compatible, or affects this repository alone.", notes)
    if limits:
        lines += ["## Not compared", "", *(f"- {one_line(limit)}" for limit in limits), ""]
    return "\n".join(lines)


def _summary(certain: Sequence[Break], by_pattern: Sequence[Break], notes: Sequence[Break]) -> str:
    if not (certain or by_pattern or notes):
        return "Nothing was found in what could be compared."
    parts = [
        f"{count(len(certain), 'change')} that callers of the public interface run into",
        f"{len(by_pattern)} found by pattern",
        f"{len(notes)} worth a look",
    ]
    return f"{', '.join(parts)}."


def _section(title: str, introduction: str, breaks: Sequence[Break]) -> list[str]:
    if not breaks:
        return []
    lines = [f"## {title}", ""]
    if introduction:
        lines += [introduction, ""]
    for item in breaks[:SHOWN]:
        lines += _entry(item)
    if len(breaks) > SHOWN:
        lines += [f"{len(breaks) - SHOWN} more are in report.json.", ""]
    return lines


def _entry(item: Break) -> list[str]:
    place = f"{code(f'{item.path}:{item.line}')}{' in the merge base: the file is gone' if item.gone else ''}"
    lines = [f"### {code(item.symbol)} {one_line(item.what)}", "", f"- Where: {place}"]
    if item.old:
        lines.append(f"- Before: {code(item.old)}")
    if item.new:
        lines.append(f"- After: {code(item.new)}")
    lines.append(f"- Callers: {one_line(item.effect)}.")
    if item.note:
        lines.append(f"- Note: {one_line(item.note)}")
    lines.append(f"- Rule: {item.rule} ({item.language})")
    return [*lines, ""]
