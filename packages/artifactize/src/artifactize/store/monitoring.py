"""Runs of all repositories of a state, in rows as small as a list of ten thousand needs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import sqlalchemy as sa

from artifactize.models.states import RequestState, RunState
from artifactize.store.rows import batches
from artifactize.store.tables import records, requests, runs, signings

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from artifactize.models.states import Outcome


@dataclass(frozen=True, slots=True)
class RepositoryRow:
    """A repository with Runs: how many there are, how many go on, and when the newest was asked for."""

    repository: str
    runs: int
    unfinished: int
    newest_at: str


@dataclass(frozen=True, slots=True)
class RunRow:
    """A Run in a list."""

    id: str
    state: RunState
    outcome: Outcome | None
    created_at: str
    started_at: str | None
    finished_at: str | None
    selection: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class WaitingRow:
    """A request that waits for a person, and who has claimed it."""

    repository: str
    request_id: str
    eval: str
    holder: str | None


_ROW = (
    runs.c.id,
    runs.c.state,
    runs.c.outcome,
    runs.c.created_at,
    runs.c.started_at,
    runs.c.finished_at,
    runs.c.selection,
)


def repositories(connection: sa.Connection) -> list[RepositoryRow]:
    """Return every repository that has Runs, the one with the newest Run first."""
    unfinished = sa.func.sum(sa.case((runs.c.state != RunState.FINISHED, 1), else_=0))
    newest = sa.func.max(runs.c.created_at)
    query = sa.select(runs.c.repository, sa.func.count(), unfinished, newest).group_by(runs.c.repository)
    rows = connection.execute(query.order_by(newest.desc(), runs.c.repository))
    return [RepositoryRow(str(name), int(total), int(open_), str(at)) for name, total, open_, at in rows]


def newer_runs(connection: sa.Connection, repository: str, run_id: str | None) -> list[RunRow]:
    """Return the Runs of a repository that are newer than one, newest first; all without one."""
    query = sa.select(*_ROW).where(runs.c.repository == repository)
    if run_id is not None:
        query = query.where(runs.c.id > run_id)
    return [RunRow(*row) for row in connection.execute(query.order_by(runs.c.id.desc()))]


def runs_again(connection: sa.Connection, run_ids: Iterable[str]) -> dict[str, RunRow]:
    """Return these Runs as they are now; pruned ones are missing."""
    found: dict[str, RunRow] = {}
    for some in batches(run_ids):
        for row in connection.execute(sa.select(*_ROW).where(runs.c.id.in_(some))):
            found[row[0]] = RunRow(*row)
    return found


def oldest_run(connection: sa.Connection, repository: str) -> tuple[int, str | None]:
    """Return how many Runs a repository has, and its oldest: whether what is known has been pruned."""
    query = sa.select(sa.func.count(), sa.func.min(runs.c.id)).where(runs.c.repository == repository)
    count, oldest = connection.execute(query).one()
    return int(count), None if oldest is None else str(oldest)


def waiting_requests(connection: sa.Connection) -> list[WaitingRow]:
    """Return every request that people may answer, oldest Run first.

    A DEFERRED one stays DEFERRED for ever: it waits while it is the newest of its eval in its repository and
    its key has no verdict.
    """
    later = requests.alias("later")
    later_runs = runs.alias("later_runs")
    newer = (
        sa.select(later.c.id)
        .join(later_runs, later_runs.c.id == later.c.run_id)
        .where(later.c.eval == requests.c.eval, later.c.run_id > requests.c.run_id)
        .where(later_runs.c.repository == runs.c.repository)
    )
    judged = sa.select(records.c.sequence).where(records.c.key == requests.c.key)
    deferred = (requests.c.state == RequestState.DEFERRED) & ~newer.exists() & ~judged.exists()
    query = (
        sa.select(runs.c.repository, requests.c.id, requests.c.eval, signings.c.reviewer)
        .join(requests, requests.c.run_id == runs.c.id)
        .join(signings, signings.c.request_id == requests.c.id, isouter=True)
        .where(requests.c.kind == "human", (requests.c.state == RequestState.WAITING_HUMAN) | deferred)
        .order_by(runs.c.id, requests.c.position)
    )
    return [WaitingRow(*row) for row in connection.execute(query)]
