"""Removing Runs that are over and needed by nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

import sqlalchemy as sa

from artifactize.models.states import RunState
from artifactize.store.rows import batches
from artifactize.store.tables import outputs, records, requests, runs, signings, signoffs

if TYPE_CHECKING:
    from collections.abc import Iterable

_UNUSED_MANIFESTS = """
DELETE FROM manifests WHERE fingerprint NOT IN
(SELECT json_each.value FROM records, json_each(records.fingerprints))
"""


def finished_before(connection: sa.Connection, repository: str, moment: str, *, keep_last: int) -> list[str]:
    """Return the Runs of a repository that ended before a moment, without its newest ones."""
    newest = sa.select(runs.c.id).where(runs.c.repository == repository)
    newest = newest.order_by(runs.c.id.desc()).limit(keep_last)
    query = sa.select(runs.c.id).where(
        runs.c.repository == repository,
        runs.c.state == RunState.FINISHED,
        runs.c.finished_at < moment,
        runs.c.id.not_in(newest),
    )
    return list(connection.execute(query.order_by(runs.c.id)).scalars())


def needed(connection: sa.Connection) -> set[str]:
    """Return the Runs, of all repositories, that a request key names or that a reusable verdict came from."""
    newest = sa.select(sa.func.max(records.c.sequence)).group_by(records.c.key)
    producers = sa.select(records.c.run_id).where(
        records.c.sequence.in_(newest), records.c.verdict != "REMOVED"
    )
    keyed = sa.select(runs.c.id).where(runs.c.request_key.is_not(None))
    return {*connection.execute(producers).scalars(), *connection.execute(keyed).scalars()}


def all_runs(connection: sa.Connection) -> set[str]:
    """Return the id of every Run of every repository."""
    return set(connection.execute(sa.select(runs.c.id)).scalars())


def remove(connection: sa.Connection, run_ids: Iterable[str]) -> None:
    """Remove Runs with their requests and audits, then the manifests that no record needs any more."""
    for some in batches(run_ids):
        theirs = sa.select(requests.c.id).where(requests.c.run_id.in_(some))
        for table in (outputs, signings, signoffs):
            connection.execute(sa.delete(table).where(table.c.request_id.in_(theirs)))
        connection.execute(sa.delete(requests).where(requests.c.run_id.in_(some)))
        connection.execute(sa.delete(runs).where(runs.c.id.in_(some)))
    connection.exec_driver_sql(_UNUSED_MANIFESTS)
