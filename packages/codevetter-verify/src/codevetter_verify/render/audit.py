"""Accesses as text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codevetter_verify.domain.counting import counted
from mcpkit.text import escape_untrusted

if TYPE_CHECKING:
    from codevetter_verify.models.audit import AuditCleared, AuditLine, AuditList


def render_audit(found: AuditList) -> str:
    """One line an access."""
    if not found.entries:
        return "nothing was asked for"
    return escape_untrusted("\n".join(map(_row, found.entries)))


def render_cleared(done: AuditCleared) -> str:
    """How many are gone."""
    return f"{counted(done.removed, 'row')} removed"


def _row(line: AuditLine) -> str:
    outcome = line.verdict or line.status
    facts = f"{line.at[:19]}  {line.repo_id}  {line.face:<7}  {outcome:<18}  {line.duration_ms:>6} ms"
    return f"{facts}  {line.run_id}" if line.run_id else facts
