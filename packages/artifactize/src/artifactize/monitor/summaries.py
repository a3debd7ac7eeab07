"""Repositories and Runs in the monitor's words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.text import Text

from artifactize.monitor.words import moment, safe, selection

if TYPE_CHECKING:
    from artifactize.service.monitoring import SeenRepository
    from artifactize.service.observing import Seen


def repository_line(found: SeenRepository) -> Text:
    """Return a repository with its Runs, on one line."""
    folder, _, name = safe(found.row.repository).rpartition("/")
    worktree = "  worktree " if found.is_worktree else ""
    going = f", {found.row.unfinished} going on" if found.row.unfinished else ""
    gone = "" if found.exists else ", gone"
    text = Text.assemble(worktree, (name, "bold"), f" {found.row.runs}{going}{gone} ", (folder, "dim"))
    text.no_wrap, text.overflow = True, "ellipsis"
    return text


def run_details(seen: Seen | None) -> Text:
    """Return what is known of a Run, a line each; nothing without one."""
    if seen is None:
        return Text("")
    run = seen.run
    rows = [
        ("Run", run.id),
        ("asked for", selection(run.selection)),
        ("state", str(run.outcome or run.state)),
        ("why", run.message or ""),
        ("created", moment(run.created_at)),
        ("started", moment(run.started_at)),
        ("ended", moment(run.finished_at)),
        ("request key", run.request_key or ""),
        *(("unmet", " ".join(each for each in unmet if each)) for unmet in run.unmet[:50]),
    ]
    found = Text()
    for name, value in rows:
        if value:
            found.append(f"{name}: ", style="bold")
            found.append(f"{safe(value)}\n")
    return found
