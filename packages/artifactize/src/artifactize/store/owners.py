"""Who works: the worker of a repository, and which reuse keys are being executed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import sqlalchemy as sa

from artifactize.models.stored import Claim, Slot, Worker
from artifactize.store.rows import batches, many, one, values
from artifactize.store.tables import claims, slots, workers

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


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


def is_worker(connection: sa.Connection, repository: str, owner: str) -> bool:
    """Whether a process still is the worker of a repository: one that was taken for dead writes nothing."""
    query = sa.select(workers.c.owner).where(workers.c.repository == repository)
    return connection.execute(query).scalar_one_or_none() == owner


def drop_worker(connection: sa.Connection, repository: str, owner: str) -> None:
    """End a process's time as worker."""
    mine = (workers.c.repository == repository, workers.c.owner == owner)
    connection.execute(sa.delete(workers).where(*mine))


def claims_of(connection: sa.Connection, keys: Iterable[str]) -> dict[str, Claim]:
    """Return who executes which of these keys."""
    found: dict[str, Claim] = {}
    for some in batches(keys):
        query = sa.select(claims).where(claims.c.key.in_(some))
        found |= {each.key: each for each in many(Claim, connection.execute(query))}
    return found


def put_claims(connection: sa.Connection, found: Sequence[Claim]) -> None:
    """Make a process the executor of keys, whoever was it before."""
    if not found:
        return
    for some in batches(each.key for each in found):
        connection.execute(sa.delete(claims).where(claims.c.key.in_(some)))
    connection.execute(sa.insert(claims), [values(each) for each in found])


def drop_claims(connection: sa.Connection, request_ids: Iterable[str]) -> None:
    """Give up the keys and the places of backends that requests hold."""
    for some in batches(request_ids):
        connection.execute(sa.delete(claims).where(claims.c.request_id.in_(some)))
        connection.execute(sa.delete(slots).where(slots.c.request_id.in_(some)))


def all_slots(connection: sa.Connection) -> list[Slot]:
    """Return every place of a backend that is held, by the living or the dead."""
    return many(Slot, connection.execute(sa.select(slots)))


def put_slots(connection: sa.Connection, found: Sequence[Slot]) -> None:
    """Take places of backends."""
    if found:
        connection.execute(sa.insert(slots), [values(each) for each in found])


def all_claims(connection: sa.Connection) -> list[Claim]:
    """Return every key being executed, by the living or the dead."""
    return many(Claim, connection.execute(sa.select(claims)))
