"""Which runs are under way: one a repository, two a machine. A run whose owner died does not count."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

import sqlalchemy as sa

from codevetter_verify.domain.interrupted import interrupted_access, interrupted_receipt
from codevetter_verify.domain.records import ActiveRun, RouteNote
from codevetter_verify.domain.visit import RUN_DEADLINE_S
from codevetter_verify.errors import RunInProgressError
from codevetter_verify.store import audit, receipts
from codevetter_verify.store.tables import active_runs
from oskit.process import ProcessIdentity

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Sequence

MAX_RUNS = 2
_LEAST_WAIT_MS = 1000
_MOST_WAIT_MS = 15_000


def claim(connection: sa.Connection, run: ActiveRun) -> list[ActiveRun]:
    """Begin a run, or raise `RunInProgressError`.

    Returns the runs of dead owners, which made way and were given receipts; their browsers may still live.
    """
    living: list[ActiveRun] = []
    dead: list[ActiveRun] = []
    for row in every(connection):
        (living if is_alive(row.owner) else dead).append(row)
    same = [row for row in living if row.repo_key == run.repo_key]
    if same:
        raise _in_progress("this repository has a run under way", same[0], run)
    if len(living) >= MAX_RUNS:
        raise _in_progress(f"this machine has {len(living)} runs under way, the most it may", living[0], run)
    for row in dead:
        bury(connection, row)
    connection.execute(sa.insert(active_runs).values(**asdict(run)))
    return dead


def bury(connection: sa.Connection, run: ActiveRun) -> None:
    """End a run whose owner is dead, with the receipt and the access that say so; only the first does."""
    receipt = interrupted_receipt(run)
    if not release(connection, run.run_id) or receipt is None:
        return
    receipts.insert(connection, receipt, run.repo_key)
    access = interrupted_access(run, receipt)
    if access is not None:
        audit.note(connection, access)


def release(connection: sa.Connection, run_id: str) -> bool:
    """End a run; False when somebody has already."""
    return connection.execute(sa.delete(active_runs).where(active_runs.c.run_id == run_id)).rowcount > 0


def note_browser(connection: sa.Connection, run_id: str, browser: str) -> None:
    """Remember the browser of a run, so that whoever finds its owner dead can end it."""
    connection.execute(sa.update(active_runs).where(active_runs.c.run_id == run_id).values(browser=browser))


def note_stage(connection: sa.Connection, run_id: str, stage: str, *, at: dt.datetime) -> None:
    """Remember how far a run came."""
    statement = sa.update(active_runs).where(active_runs.c.run_id == run_id)
    connection.execute(statement.values(stage=stage, seen_at=at))


def note_routes(connection: sa.Connection, run_id: str, routes: Sequence[RouteNote]) -> None:
    """Remember which routes a run has planned, and what became of each so far."""
    statement = sa.update(active_runs).where(active_runs.c.run_id == run_id)
    connection.execute(statement.values(routes=[asdict(note) for note in routes]))


def every(connection: sa.Connection) -> list[ActiveRun]:
    """All rows, oldest first, dead owners included."""
    rows = connection.execute(sa.select(active_runs).order_by(active_runs.c.started_at)).mappings()
    return [_run(row) for row in rows]


def is_alive(identity: str) -> bool:
    """Whether a process identity as text names a living process."""
    try:
        return ProcessIdentity.parse(identity).is_alive()
    except ValueError:
        return False


def _run(row: sa.RowMapping) -> ActiveRun:
    noted = tuple(RouteNote(**note) for note in row["routes"] or ())  # none in a row of an older version
    return ActiveRun(**{**row, "routes": noted})


def _in_progress(message: str, active: ActiveRun, asked: ActiveRun) -> RunInProgressError:
    left_ms = round((RUN_DEADLINE_S - (asked.started_at - active.started_at).total_seconds()) * 1000)
    same = (active.repo_key, *active.asked) == (asked.repo_key, *asked.asked)
    return RunInProgressError(
        message,
        active_run_id=active.run_id,
        retry_after_ms=max(_LEAST_WAIT_MS, min(_MOST_WAIT_MS, left_ms)),
        same_request=same,
    )
