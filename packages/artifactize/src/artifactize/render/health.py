"""The diagnosis as text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mcpkit.text import escape_untrusted

if TYPE_CHECKING:
    from artifactize.models.health import Check, DoctorResult

_WIDTH = 12


def doctor_text(result: DoctorResult) -> str:
    """Return one line a check, with the next step where something is not well."""
    return "\n".join(_line(check) for check in result.checks)


def _line(check: Check) -> str:
    hint = f"\n{'':{9 + _WIDTH}}hint: {check.hint}" if check.hint else ""
    return escape_untrusted(f"{check.status:<8} {check.name:<{_WIDTH}} {check.message}{hint}")
