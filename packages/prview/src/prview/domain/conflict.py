"""Merge conflict markers on added lines."""

from __future__ import annotations

from typing import TYPE_CHECKING

from prview.domain.findings import Finding, Level

if TYPE_CHECKING:
    from collections.abc import Sequence

    from prview.domain.change import ChangedFile
    from prview.domain.hunks import AddedLine

CHECK = "conflict_markers"
_OPEN, _MIDDLE, _CLOSE = "<<<<<<<", "=======", ">>>>>>>"


def conflict_markers(file: ChangedFile) -> tuple[Finding, ...]:
    """The conflicts a file adds: a whole one is an error, a left-over half a warning.

    `=======` alone underlines headings in many texts and is no finding.
    """
    findings: list[Finding] = []
    opened: AddedLine | None = None
    divided = False
    for line in file.added_lines:
        if _marks(line.text, _OPEN):
            findings += _half(file, opened)
            opened, divided = line, False
        elif line.text == _MIDDLE and opened:
            divided = True
        elif _marks(line.text, _CLOSE):
            whole = opened if divided else None
            findings += [_finding(file, whole, line)] if whole else [*_half(file, opened), *_half(file, line)]
            opened, divided = None, False
    return (*findings, *_half(file, opened))


def _marks(text: str, marker: str) -> bool:
    return text == marker or text.startswith(f"{marker} ")


def _half(file: ChangedFile, line: AddedLine | None) -> Sequence[Finding]:
    if line is None:
        return ()
    return (
        Finding(
            check=CHECK,
            rule="leftover",
            level=Level.WARNING,
            path=file.path,
            line=line.number,
            message=f"a line starts with {line.text[:7]}, as half of a merge conflict does",
            anchor=line.text.strip(),
        ),
    )


def _finding(file: ChangedFile, start: AddedLine, end: AddedLine) -> Finding:
    return Finding(
        check=CHECK,
        rule="conflict",
        level=Level.ERROR,
        path=file.path,
        line=start.number,
        end_line=end.number,
        message=f"an unresolved merge conflict, lines {start.number} to {end.number}",
        anchor=start.text.strip(),
    )
