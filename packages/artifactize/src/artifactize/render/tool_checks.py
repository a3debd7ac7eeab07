"""The checks of declared tools as text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mcpkit.text import escape_untrusted

if TYPE_CHECKING:
    from artifactize.models.tool_checks import ToolCheck, ToolsCheckResult


def tools_check_text(result: ToolsCheckResult) -> str:
    """Return one line a tool."""
    if not result.tools:
        return "no tools are declared; every review has the built-in ones"
    return "\n".join(_line(each) for each in result.tools)


def _line(check: ToolCheck) -> str:
    took = "" if check.duration_ms is None else f" ({check.duration_ms} ms)"
    code = "" if check.code is None else f"{check.code}: "
    name = f"{check.artifact} {check.view}.{check.tool}"
    return escape_untrusted(f"{check.status:<8} {name}: {code}{check.message}{took}")
