"""Verdicts by reuse key, in the order in which they were received."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from artifactize.store.rows import batches
from artifactize.store.team.tables import TOMBSTONE, entries

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


@dataclass(frozen=True, slots=True)
class Row:
    """A row of the table; `document` is the entry as JSON, empty for a tombstone and what was purged."""

    sequence: int
    key: str
    state: str
    eval: str
    execution: str
    document: str
    token: str
    received_at: str


@dataclass(frozen=True, slots=True)
class New:
    """An entry to be put."""

    key: str
    verdict: str
    eval: str
    execution: str
    document: str
    token: str


_COLUMNS = [entries.c[name] for name in Row.__slots__]


def newest(connection: sa.Connection, keys: Iterable[str]) -> dict[str, Row]:
    """Return the newest row of each key, unless it is a tombstone, which hides all older ones."""
    found: dict[str, Row] = {}
    for some in batches(keys):
        last = (
            sa.select(sa.func.max(entries.c.sequence)).where(entries.c.key.in_(some)).group_by(entries.c.key)
        )
        for row in _rows(connection, sa.select(*_COLUMNS).where(entries.c.sequence.in_(last))):
            found[row.key] = row
    return {key: row for key, row in found.items() if row.state != TOMBSTONE}


def known(connection: sa.Connection, new: New) -> Row | None:
    """Return the row of the same execution, also one that a tombstone hides."""
    query = sa.select(*_COLUMNS).where(entries.c.key == new.key, entries.c.execution == new.execution)
    return next(iter(_rows(connection, query)), None)


def put(connection: sa.Connection, new: New, *, received_at: str, used: int) -> int:
    """Append an entry and return its sequence."""
    values = {
        "key": new.key,
        "state": new.verdict,
        "eval": new.eval,
        "execution": new.execution,
        "document": new.document,
        "token": new.token,
        "received_at": received_at,
        "used": used,
    }
    return int(connection.execute(sa.insert(entries).values(values)).inserted_primary_key[0])  # type: ignore[index] # one row


def listed(
    connection: sa.Connection,
    *,
    before: int | None,
    limit: int,
    key: str | None = None,
    verdict: str | None = None,
) -> list[Row]:
    """Return rows, newest first, tombstones among them."""
    query = sa.select(*_COLUMNS).order_by(entries.c.sequence.desc()).limit(limit)
    if before is not None:
        query = query.where(entries.c.sequence < before)
    if key is not None:
        query = query.where(entries.c.key == key)
    if verdict is not None:
        query = query.where(entries.c.state == verdict)
    return _rows(connection, query)


def matching(
    connection: sa.Connection, *, key: str | None, eval_id: str | None, token: str | None
) -> list[str]:
    """Return the keys, begun with `key`, that have a verdict of this eval or put by this token."""
    query = sa.select(entries.c.key).where(entries.c.state != TOMBSTONE).distinct()
    if key is not None:
        query = query.where(entries.c.key.startswith(key, autoescape=True))
    if eval_id is not None:
        query = query.where(entries.c.eval == eval_id)
    if token is not None:
        query = query.where(entries.c.token == token)
    return sorted(str(found) for found in connection.execute(query).scalars())


def remove(connection: sa.Connection, keys: Sequence[str], *, by: str, received_at: str, purge: bool) -> int:
    """Put a tombstone over every key that has a verdict, and return over how many.

    With `purge` what was said is forgotten, too. That an execution was known is not: putting it again does
    not bring it back.
    """
    shown = newest(connection, keys)
    for key in shown:
        tombstone = New(key, TOMBSTONE, "", f"removed-{uuid.uuid4()}", "", by)
        put(connection, tombstone, received_at=received_at, used=0)
    if purge:
        for some in batches(keys):
            connection.execute(sa.update(entries).where(entries.c.key.in_(some)).values(document="", eval=""))
    return len(shown)


def touch(connection: sa.Connection, keys: Iterable[str], used: int) -> None:
    """Note that keys were asked for."""
    for some in batches(keys):
        connection.execute(sa.update(entries).where(entries.c.key.in_(some)).values(used=used))


def evict(connection: sa.Connection, *, most: int) -> int:
    """Forget the keys that were asked for least lately until `most` rows are left; return how many rows.

    A key with a tombstone stays whole: without its history, what was removed could be put again.
    """
    count = connection.execute(sa.select(sa.func.count()).select_from(entries)).scalar_one()
    if count <= most:
        return 0
    dead = sa.select(entries.c.key).where(entries.c.state == TOMBSTONE)
    oldest = (
        sa.select(entries.c.key)
        .where(entries.c.key.not_in(dead))
        .group_by(entries.c.key)
        .order_by(sa.func.max(entries.c.used), sa.func.max(entries.c.sequence))
        .limit(count - most)
    )
    keys = list(connection.execute(oldest).scalars())
    return sum(
        connection.execute(sa.delete(entries).where(entries.c.key.in_(some))).rowcount
        for some in batches(keys)
    )


def count(connection: sa.Connection) -> int:
    """Return how many rows there are."""
    return int(connection.execute(sa.select(sa.func.count()).select_from(entries)).scalar_one())


def _rows(connection: sa.Connection, query: sa.Select[Any]) -> list[Row]:
    return [Row(**row) for row in connection.execute(query).mappings()]
