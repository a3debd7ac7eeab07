"""Merge conflict markers that the change adds. Reads the diff alone, so nothing is older than it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from prview.checks.base import Sight, Skip
from prview.domain.checks import Kind
from prview.domain.conflict import CHECK, conflict_markers
from prview.domain.provenance import judge

if TYPE_CHECKING:
    from prview.checks.base import CheckContext


class ConflictMarkers:
    """Looks for `<<<<<<<`, `=======`, `>>>>>>>` on added lines of every text file."""

    id = CHECK
    name = "Conflict markers"
    kind = Kind.HYGIENE

    def applies(self, context: CheckContext) -> Skip | None:
        """Every text file can hold them."""
        return None if context.change.files else Skip("nothing changed")

    async def look(self, context: CheckContext) -> Sight:
        """Read the added lines. Files whose text the diff does not show stay unexamined."""
        readable = [file for file in context.change.files if file.has_text]
        findings = [finding for file in readable for finding in conflict_markers(file)]
        return Sight(
            judged=judge(findings, (), renames={}, added=context.change.added_numbers),
            examined=frozenset(file.path for file in readable),
        )
