"""All records of one reuse key, and its tombstones."""

from __future__ import annotations

from typing import TYPE_CHECKING

import sqlalchemy as sa

from artifactize.models.stored import Record
from artifactize.store.rows import many, values
from artifactize.store.tables import records

if TYPE_CHECKING:
    from collections.abc import Sequence

TOMBSTONE = "REMOVED"


def keys_like(connection: sa.Connection, beginning: str, *, most: int) -> Sequence[str]:
    """Return the keys with this beginning, tombstones' too, at most so many."""
    query = sa.select(records.c.key).where(records.c.key.startswith(beginning, autoescape=True))
    return list(connection.execute(query.distinct().order_by(records.c.key).limit(most)).scalars())


def history(connection: sa.Connection, key: str) -> list[Record]:
    """Return every record of a key, the deciding one first."""
    query = sa.select(records).where(records.c.key == key).order_by(records.c.sequence.desc())
    return many(Record, connection.execute(query))


def bury(connection: sa.Connection, newest: Record, *, moment: str) -> None:
    """Put a tombstone above all records of a key: none of them ever decides again."""
    columns = values(newest) | {"verdict": TOMBSTONE, "recorded_at": moment, "message": None}
    del columns["sequence"]
    connection.execute(sa.insert(records), columns)
