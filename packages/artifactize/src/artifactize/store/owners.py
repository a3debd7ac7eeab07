"""Who works: the worker of a repository, and which reuse keys are being executed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import sqlalchemy as sa

from artifactize.models.stored import Claim, Worker
from artifactize.store.rows import many, one, values
from artifactize.store.tables import claims, workers

if TYPE_CHECKING:
    from collections.abc import Iterable


def worker(connection: sa.Connection, repository: str) -> Worker | None:
    """Return the worker of a repository, alive or not."""
    return one(Worker, connection.execute(sa.select(workers).where(workers.c.repository == repository)))


def put_worker(connection: sa.Connection, found: Worker) -> None:
    """Make a process the worker of a repository, whoever was it before."""
    connection.execute(sa.delete(workers).where(workers.c.repository == found.repository))
    connection.execute(sa.insert(workers), values(found))


def beat(connection: sa.Connection, repository: str, owner: str, moment: float) -> bool:
    """Save a heartbeat; false when the process is not the worker any more."""
    mine = (workers.c.repository == repository, workers.c.owner == owner)
    return bool(connection.execute(sa.update(workers).where(*mine).values(beat=moment)).rowcount)


def drop_worker(connection: sa.Connection, repository: str, owner: str) -> None:
    """End a process's time as worker."""
    mine = (workers.c.repository == repository, workers.c.owner == owner)
    connection.execute(sa.delete(workers).where(*mine))


def claim(connection: sa.Connection, key: str) -> Claim | None:
    """Return who executes a key."""
    return one(Claim, connection.execute(sa.select(claims).where(claims.c.key == key)))


def put_claim(connection: sa.Connection, found: Claim) -> None:
    """Make a process the executor of a key, whoever was it before."""
    connection.execute(sa.delete(claims).where(claims.c.key == found.key))
    connection.execute(sa.insert(claims), values(found))


def drop_claims(connection: sa.Connection, request_ids: Iterable[str]) -> None:
    """Give up the keys that requests hold."""
    connection.execute(sa.delete(claims).where(claims.c.request_id.in_(list(request_ids))))


def all_claims(connection: sa.Connection) -> list[Claim]:
    """Return every key being executed, by the living or the dead."""
    return many(Claim, connection.execute(sa.select(claims)))
