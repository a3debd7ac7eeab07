"""What the monitor writes: states with a sign and a colour, moments and durations, text of unknown origin."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.text import Text

from artifactize.models.states import Outcome, RequestState, RunState
from mcpkit.text import escape_untrusted

if TYPE_CHECKING:
    from collections.abc import Mapping

    from artifactize.models.stored import EvalRequest
    from artifactize.store.monitoring import RunRow

_MINUTE_S = 60
_HOUR_S = 3600
_SECOND_MS = 1000

# a sign beside each colour: not everybody sees colours, and not every terminal has them
_LOOKS: Mapping[str, tuple[str, str]] = {
    RequestState.GREEN: ("✓", "green"),
    RequestState.RED: ("✗", "bold red"),
    RequestState.ERROR: ("!", "bold magenta"),
    RequestState.RUNNING: ("▸", "bold cyan"),
    RequestState.WAITING_HUMAN: ("?", "bold yellow"),
    RequestState.DEFERRED: ("?", "yellow"),
    RequestState.PROVISIONAL: ("~", "green"),
    RequestState.CANCELLED: ("-", "grey62"),
    RequestState.BLOCKED: ("x", "red"),
    RequestState.STALE: ("=", "yellow"),
    RequestState.BUDGET_EXHAUSTED: ("$", "yellow"),
    Outcome.INCOMPLETE: ("=", "yellow"),
    Outcome.SIGNOFFS_PENDING: ("?", "bold yellow"),
}
_WAITS = ("·", "grey62")


def look_of(state: str) -> tuple[str, str]:
    """Return the sign and the style of a state or an outcome."""
    return _LOOKS.get(state, _WAITS)


def state_of(row: RunRow) -> str:
    """Return the outcome of a Run, or where it stands without one."""
    return str(row.outcome if row.state is RunState.FINISHED and row.outcome is not None else row.state)


def safe(text: str) -> str:
    """Return text of unknown origin as one line that a terminal shows as it is."""
    return escape_untrusted(text).replace("\r", "").replace("\n", " ").replace("\t", " ")


def line(state: str, *words: str) -> Text:
    """Return words behind the sign of a state, in its colour."""
    sign, style = look_of(state)
    return Text.assemble((f"{sign} ", style), safe(" ".join(word for word in words if word)))


def moment(stamp: str | None) -> str:
    """Return an RFC 3339 moment as `2026-12-01 04:59:01` (UTC), nothing for none."""
    return "" if stamp is None else safe(stamp[:19].replace("T", " "))


def duration(milliseconds: int | None) -> str:
    """Return a duration for people."""
    if milliseconds is None:
        return ""
    if milliseconds < _SECOND_MS:
        return f"{milliseconds} ms"
    seconds = milliseconds / _SECOND_MS
    if seconds < _MINUTE_S:
        return f"{seconds:.1f} s"
    whole = int(seconds)
    if whole < _HOUR_S:
        return f"{whole // _MINUTE_S}:{whole % _MINUTE_S:02} min"
    return f"{whole // _HOUR_S}:{whole % _HOUR_S // _MINUTE_S:02} h"


def selection(envelope: Mapping[str, object]) -> str:
    """Return what a Run was asked to verify."""
    if envelope.get("kind") == "all":
        return "everything"
    named = [value for key, value in envelope.items() if key != "kind"]
    listed = [each for value in named for each in (value if isinstance(value, (list, tuple)) else [value])]
    shown = ", ".join(str(each) for each in listed[:3])
    return safe(f"{shown} and {len(listed) - 3} more" if len(listed) > 3 else shown)  # noqa: PLR2004 - as shown


def details(request: EvalRequest) -> Text:
    """Return what is known of one eval of a Run, a line each."""
    sign, style = look_of(request.state)
    rows = [
        ("eval", request.eval),
        ("title", request.title),
        ("kind", request.kind),
        ("why", request.message or ""),
        ("code", request.code or ""),
        ("waits for", ", ".join(request.blocked_by)),
        ("source", "" if request.source is None else str(request.source)),
        ("verdict of", request.source_run or ""),
        ("exit code", "" if request.exit_code is None else str(request.exit_code)),
        ("took", duration(request.duration_ms)),
        ("attempt", str(request.attempt) if request.attempt > 1 else ""),
        ("started", moment(request.started_at)),
        ("ended", moment(request.finished_at)),
        ("request", request.id),
        ("key", request.key or ""),
        *((f"input {name}", value) for name, value in sorted(request.fingerprints.items())),
    ]
    found = Text.assemble((f"{sign} {request.state}\n", style))
    for name, value in rows:
        if value:
            found.append(f"{safe(name)}: ", style="bold")
            found.append(f"{safe(value)}\n")
    return found
