"""Secrets that the change adds. Reads the diff alone: what was there before is not this change's."""

from __future__ import annotations

from typing import TYPE_CHECKING

from prview.checks.base import Sight, Skip
from prview.domain.checks import Kind
from prview.domain.provenance import judge
from prview.domain.secrets import CHECK, added_secrets, secrets_in_name

if TYPE_CHECKING:
    from prview.checks.base import CheckContext


class Secrets:
    """Looks for tokens, private keys and passwords on added lines of text files, and in new names."""

    id = CHECK
    name = "Secrets"
    kind = Kind.SECURITY

    def applies(self, context: CheckContext) -> Skip | None:
        """Every text file can hold one."""
        return None if context.change.files else Skip("nothing changed")

    async def look(self, context: CheckContext) -> Sight:
        """Read the added lines. Files whose text the diff does not show stay unexamined."""
        readable = [file for file in context.change.files if file.has_text]
        findings = [finding for file in context.change.files for finding in secrets_in_name(file)]
        findings += [finding for file in readable for finding in added_secrets(file)]
        return Sight(
            judged=judge(findings, (), renames={}, added=context.change.added_numbers),
            examined=frozenset(file.path for file in readable),
        )
