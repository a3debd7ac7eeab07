"""Ids of Runs and requests, by how they begin or end."""

from __future__ import annotations

from typing import TYPE_CHECKING

import sqlalchemy as sa

from artifactize.store.tables import requests, runs

if TYPE_CHECKING:
    from collections.abc import Sequence


def runs_like(connection: sa.Connection, part: str, *, repository: str, most: int) -> Sequence[str]:
    """Return the ids of a repository's Runs that are, begin or end so, newest first, at most so many."""
    query = sa.select(runs.c.id).where(runs.c.repository == repository)
    return _like(connection, query, runs.c.id, part, most=most)


def requests_like(connection: sa.Connection, part: str, *, repository: str, most: int) -> Sequence[str]:
    """Return the ids of requests of a repository's Runs that are, begin or end so, newest first."""
    query = sa.select(requests.c.id).join(runs, runs.c.id == requests.c.run_id)
    query = query.where(runs.c.repository == repository)
    return _like(connection, query, requests.c.id, part, most=most)


def newest_run(connection: sa.Connection, *, repository: str) -> str | None:
    """Return the id of a repository's newest Run."""
    query = sa.select(runs.c.id).where(runs.c.repository == repository).order_by(runs.c.id.desc())
    return connection.execute(query.limit(1)).scalar_one_or_none()


def _like(
    connection: sa.Connection, query: sa.Select[tuple[str]], column: sa.Column[str], part: str, *, most: int
) -> Sequence[str]:
    exact = connection.execute(query.where(column == part)).scalars().all()
    if exact:
        return list(map(str, exact))
    ends = sa.or_(column.startswith(part, autoescape=True), column.endswith(part, autoescape=True))
    found = connection.execute(query.where(ends).order_by(column.desc()).limit(most)).scalars()
    return list(map(str, found))
