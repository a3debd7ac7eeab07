"""Runs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from artifactize.models.states import RunState
from artifactize.models.stored import Run
from artifactize.store.rows import many, one, values
from artifactize.store.tables import runs

if TYPE_CHECKING:
    from collections.abc import Mapping


def add(connection: sa.Connection, run: Run) -> None:
    """Insert a Run."""
    connection.execute(sa.insert(runs), values(run))


def get(connection: sa.Connection, run_id: str, *, repository: str) -> Run | None:
    """Return a Run of a repository."""
    query = sa.select(runs).where(runs.c.id == run_id, runs.c.repository == repository)
    return one(Run, connection.execute(query))


def by_request_key(connection: sa.Connection, repository: str, request_key: str) -> Run | None:
    """Return the Run that a request key stands for in a repository."""
    query = sa.select(runs).where(runs.c.repository == repository, runs.c.request_key == request_key)
    return one(Run, connection.execute(query))


def unfinished(connection: sa.Connection, repository: str) -> list[Run]:
    """Return the Runs of a repository that have no outcome, oldest first.

    Those in which only people are waited for are left out until something happens to them.
    """
    query = sa.select(runs).where(runs.c.repository == repository, runs.c.state != RunState.FINISHED)
    query = query.where(runs.c.parked.is_distinct_from(runs.c.revision))
    return many(Run, connection.execute(query.order_by(runs.c.id)))


def newest(connection: sa.Connection, repository: str, *, limit: int, offset: int) -> list[Run]:
    """Return Runs of a repository, newest first."""
    query = sa.select(runs).where(runs.c.repository == repository).order_by(runs.c.id.desc())
    return many(Run, connection.execute(query.limit(limit).offset(offset)))


def change(connection: sa.Connection, run_id: str, changes: Mapping[str, Any]) -> None:
    """Set columns of a Run and move its revision, so that watchers look again."""
    update = sa.update(runs).where(runs.c.id == run_id)
    connection.execute(update.values(revision=runs.c.revision + 1, **changes))


def is_left_to_people(connection: sa.Connection, repository: str) -> bool:
    """Whether Runs of a repository go on, and every one of them waits for nothing but people."""
    query = sa.select(sa.func.count()).where(runs.c.repository == repository)
    query = query.where(runs.c.state != RunState.FINISHED, runs.c.parked == runs.c.revision)
    return bool(connection.execute(query).scalar_one()) and not unfinished(connection, repository)


def touch(connection: sa.Connection, run_id: str) -> None:
    """Move a Run's revision alone: something that belongs to it has changed."""
    change(connection, run_id, {})


def park(connection: sa.Connection, run_id: str) -> None:
    """Say that nothing is left to do for a worker until the Run's revision moves again."""
    update = sa.update(runs).where(runs.c.id == run_id)
    connection.execute(update.values(parked=runs.c.revision))
