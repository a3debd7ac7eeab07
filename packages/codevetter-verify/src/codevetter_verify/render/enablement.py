"""Permissions as text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mcpkit.text import escape_untrusted

if TYPE_CHECKING:
    from codevetter_verify.models import EnablementList, EnablementStatus


def render_status(status: EnablementStatus) -> str:
    """One permission, in one paragraph."""
    state = "enabled" if status.enabled else f"not enabled: {status.reason}"
    until = f" until {status.expires_at}" if status.enabled and status.expires_at else ""
    hosts = ", ".join(status.preview_hosts) or "any host"
    return escape_untrusted(
        f"{status.repo_id}  {state}{until}\n"
        f"  repository  {status.repo_path}\n"
        f"  previews    {hosts}\n"
        f"  changed     {status.changed_at} by {status.changed_by}"
    )


def render_list(found: EnablementList) -> str:
    """Every permission."""
    if not found.repositories:
        return "verification is enabled for no repository"
    return "\n".join(map(render_status, found.repositories))
