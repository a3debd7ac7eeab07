"""Reusable verdicts and the manifests that explain them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from artifactize.models.stored import Manifest, Record
from artifactize.store.rows import batches, many, one
from artifactize.store.tables import manifests, records, requests

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
_PUBLISH = sa.insert(records)


def publish_all(connection: sa.Connection, rows: Sequence[Mapping[str, Any]]) -> None:
    """Append verdicts in this order: of the same key, the last is the newest."""
    if rows:
        connection.execute(_PUBLISH, [dict(columns) for columns in rows])


def current(connection: sa.Connection, keys: Iterable[str]) -> dict[str, Record]:
    """Return the newest record of each key. A tombstone hides every older record, and is not returned."""
    return {
        key: found
        for key, found in _newest(connection, records.c.key, keys).items()
        if found.verdict != "REMOVED"
    }


def newest_of_evals(connection: sa.Connection, evals: Iterable[str]) -> dict[str, Record]:
    """Return the newest verdict of each eval id under whatever key: what a change is explained against."""
    found = _newest(connection, records.c.eval, evals, records.c.verdict != "REMOVED")
    return {found[eval_id].eval: found[eval_id] for eval_id in found}


def listed(connection: sa.Connection, *, limit: int) -> list[Record]:
    """Return the newest record of every key, newest first, tombstones left out."""
    newest = sa.select(sa.func.max(records.c.sequence)).group_by(records.c.key)
    query = sa.select(records).where(records.c.sequence.in_(newest), records.c.verdict != "REMOVED")
    return many(Record, connection.execute(query.order_by(records.c.sequence.desc()).limit(limit)))


def spoken_of(connection: sa.Connection, keys: Iterable[str]) -> set[str]:
    """Return those keys that have a record, be it a tombstone."""
    found: set[str] = set()
    for some in batches(keys):
        found.update(connection.execute(sa.select(records.c.key).where(records.c.key.in_(some))).scalars())
    return found


def after(connection: sa.Connection, sequence: int, *, limit: int) -> list[tuple[Record, str]]:
    """Return the verdicts after a sequence with the kind of their evals, in order.

    The kind stands in the request; where that was pruned, it is `runtime`.
    """
    kind = sa.func.coalesce(requests.c.kind, "runtime").label("kind")
    query = (
        sa.select(records, kind)
        .join(requests, requests.c.id == records.c.request_id, isouter=True)
        .where(records.c.sequence > sequence, records.c.verdict != "REMOVED")
        .order_by(records.c.sequence)
        .limit(limit)
    )
    rows = [dict(row) for row in connection.execute(query).mappings()]
    return [(Record(**{name: row[name] for name in row if name != "kind"}), row["kind"]) for row in rows]


def count_after(connection: sa.Connection, sequence: int) -> int:
    """Return how many verdicts there are after a sequence."""
    query = sa.select(sa.func.count()).where(records.c.sequence > sequence, records.c.verdict != "REMOVED")
    return int(connection.execute(query).scalar_one())


def newest_sequence(connection: sa.Connection) -> int:
    """Return the highest sequence, 0 without any."""
    return int(
        connection.execute(sa.select(sa.func.coalesce(sa.func.max(records.c.sequence), 0))).scalar_one()
    )


def put_manifests(connection: sa.Connection, found: Mapping[str, Mapping[str, str]]) -> None:
    """Save the manifests of fingerprints that have none."""
    rows = [{"fingerprint": fingerprint, "files": dict(files)} for fingerprint, files in found.items()]
    if rows:
        connection.execute(sa.insert(manifests).prefix_with("OR IGNORE"), rows)


def get_manifest(connection: sa.Connection, fingerprint: str) -> Manifest | None:
    """Return the manifest of a recorded fingerprint."""
    query = sa.select(manifests).where(manifests.c.fingerprint == fingerprint)
    return one(Manifest, connection.execute(query))


def _newest(
    connection: sa.Connection, column: sa.Column[str], wanted: Iterable[str], *more: sa.ColumnElement[bool]
) -> dict[str, Record]:
    found: dict[str, Record] = {}
    for some in batches(wanted):
        newest = sa.select(sa.func.max(records.c.sequence)).where(column.in_(some), *more).group_by(column)
        query = sa.select(records).where(records.c.sequence.in_(newest))
        found |= {getattr(each, column.name): each for each in many(Record, connection.execute(query))}
    return found
