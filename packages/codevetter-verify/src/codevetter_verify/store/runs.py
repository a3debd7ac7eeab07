"""Which runs are under way: one a repository, two a machine. A run whose owner died does not count."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

import sqlalchemy as sa

from codevetter_verify.domain.records import ActiveRun
from codevetter_verify.domain.visit import RUN_DEADLINE_S
from codevetter_verify.errors import RunInProgressError
from codevetter_verify.store.tables import active_runs
from oskit.process import ProcessIdentity

if TYPE_CHECKING:
    import datetime as dt

MAX_RUNS = 2
_LEAST_WAIT_MS = 1000
_MOST_WAIT_MS = 15_000


def claim(connection: sa.Connection, run: ActiveRun) -> None:
    """Begin a run, or raise `RunInProgressError`. Rows of dead owners make way."""
    living = []
    for row in every(connection):
        if is_alive(row.owner):
            living.append(row)
        else:
            release(connection, row.run_id)
    same = [row for row in living if row.repo_key == run.repo_key]
    if same:
        raise _in_progress("this repository has a run under way", same[0], run.started_at)
    if len(living) >= MAX_RUNS:
        raise _in_progress(
            f"this machine has {len(living)} runs under way, the most it may", living[0], run.started_at
        )
    connection.execute(sa.insert(active_runs).values(**asdict(run)))


def release(connection: sa.Connection, run_id: str) -> None:
    """End a run."""
    connection.execute(sa.delete(active_runs).where(active_runs.c.run_id == run_id))


def note_browser(connection: sa.Connection, run_id: str, browser: str) -> None:
    """Remember the browser of a run, so that whoever finds its owner dead can end it."""
    connection.execute(sa.update(active_runs).where(active_runs.c.run_id == run_id).values(browser=browser))


def every(connection: sa.Connection) -> list[ActiveRun]:
    """All rows, oldest first, dead owners included."""
    rows = connection.execute(sa.select(active_runs).order_by(active_runs.c.started_at)).mappings()
    return [ActiveRun(**row) for row in rows]


def is_alive(identity: str) -> bool:
    """Whether a process identity as text names a living process."""
    try:
        return ProcessIdentity.parse(identity).is_alive()
    except ValueError:
        return False


def _in_progress(message: str, active: ActiveRun, now: dt.datetime) -> RunInProgressError:
    left_ms = round((RUN_DEADLINE_S - (now - active.started_at).total_seconds()) * 1000)
    return RunInProgressError(
        message,
        active_run_id=active.run_id,
        retry_after_ms=max(_LEAST_WAIT_MS, min(_MOST_WAIT_MS, left_ms)),
    )
