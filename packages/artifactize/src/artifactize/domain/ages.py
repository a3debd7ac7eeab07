"""How long ago something was, in words."""

from __future__ import annotations

from datetime import datetime, timedelta

_UNITS = (("day", timedelta(days=1)), ("hour", timedelta(hours=1)), ("minute", timedelta(minutes=1)))


def ago(moment: str, now: datetime) -> str:
    """Return `3 hours ago` for an RFC 3339 moment; one that lies ahead is just now: a clock was set."""
    passed = now - datetime.fromisoformat(moment)
    for unit, length in _UNITS:
        count = passed // length
        if count > 0:
            return f"{count} {unit}{'' if count == 1 else 's'} ago"
    return "just now"


def known_note(submitted_at: str, now: datetime) -> str:
    """Return what whoever submits a request key again has to know about the Run that answers it."""
    return (
        f"this request key was used {ago(submitted_at, now)} ({submitted_at}), and that Run answers it; "
        "nothing that changed since then is in it. Use a new key, or none, to verify what is there now"
    )
