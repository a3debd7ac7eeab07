"""Permissions as text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mcpkit.text import escape_untrusted

if TYPE_CHECKING:
    from codevetter_verify.models import EnablementLimits, EnablementList, EnablementStatus


def render_status(status: EnablementStatus) -> str:
    """One permission, in one paragraph."""
    state = f"enabled {_until(status)}" if status.enabled else f"not enabled: {status.reason}"
    lines = [
        f"{status.repo_id}  {state}",
        f"  repository  {status.repo_path}",
        f"  previews    {_hosts(status)}",
        f"  changed     {status.changed_at} by {status.changed_by}",
    ]
    if status.previous is not None:
        lines.append(f"  before      {_until(status.previous)}; previews on {_hosts(status.previous)}")
        lines.append("  limits that were not given again were kept, unless --forget-limits was given")
    return escape_untrusted("\n".join(lines))


def render_history(status: EnablementStatus) -> str:
    """One permission to read, in one paragraph."""
    state = f"may be read {_until(status)}" if status.enabled else f"may not be read: {status.reason}"
    lines = [
        f"{status.repo_id}  {state}",
        f"  repository  {status.repo_path}",
        f"  changed     {status.changed_at} by {status.changed_by}",
    ]
    if status.previous is not None:
        lines.append(f"  before      {_until(status.previous)}")
    return escape_untrusted("\n".join(lines))


def render_history_list(found: EnablementList) -> str:
    """Every permission to read."""
    if not found.repositories:
        return "the history of no repository may be read"
    return "\n".join(map(render_history, found.repositories))


def _until(limits: EnablementLimits | EnablementStatus) -> str:
    return f"until {limits.expires_at}" if limits.expires_at else "until it is disabled"


def _hosts(limits: EnablementLimits | EnablementStatus) -> str:
    return ", ".join(limits.preview_hosts) or "any host"


def render_list(found: EnablementList) -> str:
    """Every permission."""
    if not found.repositories:
        return "verification is enabled for no repository"
    return "\n".join(map(render_status, found.repositories))
