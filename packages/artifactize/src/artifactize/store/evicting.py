"""Keeping the number of remembered verdicts within bounds: what no Run has used for longest goes first."""

from __future__ import annotations

from typing import TYPE_CHECKING

import sqlalchemy as sa

from artifactize.store.rows import batches
from artifactize.store.tables import records, requests

if TYPE_CHECKING:
    from collections.abc import Iterable

MOST_RECORDS = 200_000
"""Beyond this many, about a tenth goes at once; a record has some hundred bytes."""


def evict(connection: sa.Connection, *, most: int = MOST_RECORDS) -> int:
    """Forget the least recently used keys if there are more records than `most`; return how many keys.

    A key goes with its whole history, so that no older verdict is left to decide. Tombstones count and go
    alike: without records there is nothing that they would have to hide.
    """
    count = connection.execute(sa.select(sa.func.count()).select_from(records)).scalar_one()
    if count <= most:
        return 0
    used = (
        sa.select(requests.c.key, sa.func.max(requests.c.id).label("at")).group_by(requests.c.key).subquery()
    )
    recorded = (
        sa.select(records.c.key, sa.func.count().label("rows"), sa.func.max(records.c.request_id).label("at"))
        .group_by(records.c.key)
        .subquery()
    )
    # ids of requests ascend with time; a pruned Run leaves the one that its record names
    last = sa.func.max(recorded.c.at, sa.func.coalesce(used.c.at, ""))
    query = sa.select(recorded.c.key, recorded.c.rows).outerjoin(used, used.c.key == recorded.c.key)
    surplus = count - most + most // 10
    gone: list[str] = []
    for key, rows in connection.execute(query.order_by(last, recorded.c.key)):
        if surplus <= 0:
            break
        gone.append(key)
        surplus -= rows
    _forget(connection, gone)
    return len(gone)


def _forget(connection: sa.Connection, keys: Iterable[str]) -> None:
    for some in batches(keys):
        connection.execute(sa.delete(records).where(records.c.key.in_(some)))
