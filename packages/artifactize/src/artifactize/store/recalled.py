"""The few statements of a `verify` that reuses everything, on the same database, without SQLAlchemy.

Rows are copied from a Run that was submitted in full: nothing here knows a column but the ids and moments.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
import time

TYPE_CHECKING = False  # importing typing costs more than a whole look at a small project
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any, TypeAlias

    Row: TypeAlias = tuple[Any, ...]

FILE = "artifactize.db"
BUSY_TIMEOUT_S = 30.0
_MOMENT = "_at"

_NEWEST = (
    "SELECT r.key, r.sequence, r.verdict, r.run_id FROM records r JOIN "
    "(SELECT max(sequence) AS newest FROM records WHERE key IN (SELECT value FROM json_each(?)) "
    "GROUP BY key) "
    "ON r.sequence = newest ORDER BY r.key"
)


@contextlib.contextmanager
def opened(state_dir: str, *, writing: bool) -> Iterator[sqlite3.Connection]:
    """Give a transaction on an existing database; `writing` ones are alone. Raises sqlite3.Error."""
    place = f"{state_dir}/{FILE}".replace("%", "%25").replace("?", "%3f").replace("#", "%23")
    connection = sqlite3.connect(
        f"file:{place}?mode=rw", uri=True, isolation_level=None, timeout=BUSY_TIMEOUT_S
    )
    try:
        connection.execute("PRAGMA foreign_keys = ON")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("BEGIN IMMEDIATE" if writing else "BEGIN")
        yield connection
        connection.execute("COMMIT")
    finally:
        connection.close()  # rolls back what was not committed


def schema_version(connection: sqlite3.Connection) -> int:
    """Return the number of the newest migration."""
    return int(connection.execute("SELECT max(version) FROM schema_version").fetchone()[0])


def worker(connection: sqlite3.Connection, repository: str) -> str | None:
    """Return the process that is the worker of a repository, alive or not."""
    query = "SELECT owner FROM workers WHERE repository = ?"
    found = connection.execute(query, (repository,)).fetchone()
    return None if found is None else str(found[0])


def newest_records(connection: sqlite3.Connection, keys_json: str) -> list[Row]:
    """Return key, sequence, verdict and Run of the newest record of each key, tombstones too."""
    return connection.execute(_NEWEST, (keys_json,)).fetchall()


def is_anything_executed(connection: sqlite3.Connection) -> bool:
    """Whether a key is claimed by an execution, living or dead."""
    return connection.execute("SELECT 1 FROM claims LIMIT 1").fetchone() is not None


def last_run_like(connection: sqlite3.Connection, repository: str, states: list[Row]) -> str | None:
    """Return the newest Run of a repository if it left exactly these (eval, key, state) and none overlaps it.

    Then it is the last review of each of these evals.
    """
    query = "SELECT id, created_at, finished_at FROM runs WHERE repository = ? ORDER BY id DESC LIMIT 2"
    found = connection.execute(query, (repository,)).fetchall()
    if not found or found[0][2] is None:
        return None
    if len(found) > 1 and (found[1][2] is None or found[1][2] >= found[0][1]):
        return None
    query = "SELECT eval, key, state FROM requests WHERE run_id = ? ORDER BY position"
    newest = connection.execute(query, (found[0][0],)).fetchall()
    return str(found[0][0]) if newest == states else None


def copy_run(
    connection: sqlite3.Connection,
    run: tuple[list[str], Row],
    requests: tuple[list[str], list[Row]],
    ids: Sequence[str],
) -> None:
    """Insert a finished Run with its requests under new ids (the Run's first) and the present moment."""
    now = _now()
    names, row = run
    _insert(connection, "runs", names, [_renewed(names, row, {"id": ids[0]}, now)])
    names, rows = requests
    id_at, run_at = names.index("id"), names.index("run_id")
    moments = [at for at, name in enumerate(names) if name.endswith(_MOMENT)]
    renewed = []
    for new_id, old in zip(ids[1:], rows, strict=True):
        values = list(old)
        values[id_at] = new_id
        values[run_at] = ids[0]
        for at in moments:
            if values[at] is not None:
                values[at] = now
        renewed.append(values)
    _insert(connection, "requests", names, renewed)


def new_ids(count: int) -> list[str]:
    """Return UUIDs of version 7 in ascending order, as `oskit.ids.uuid7` makes them one by one."""
    milliseconds, nanoseconds = divmod(time.time_ns(), 1_000_000)
    stamp = (milliseconds << 12) | (nanoseconds << 12) // 1_000_000
    random = os.urandom(8 * count)
    found = []
    for index in range(count):
        at = stamp + index
        tail = int.from_bytes(random[8 * index : 8 * index + 8], "big") & (2**62 - 1) | 2**63
        text = f"{at >> 12:012x}7{at & 0xFFF:03x}{tail:016x}"
        found.append(f"{text[:8]}-{text[8:12]}-{text[12:16]}-{text[16:20]}-{text[20:]}")
    return found


def _renewed(names: list[str], row: Row, changes: dict[str, str], now: str) -> list[Any]:
    return [
        changes.get(name, now if name.endswith(_MOMENT) and value is not None else value)
        for name, value in zip(names, row, strict=True)
    ]


def _insert(connection: sqlite3.Connection, table: str, names: list[str], rows: list[list[Any]]) -> None:
    marks = ", ".join("?" * len(names))
    query = f"INSERT INTO {table} ({', '.join(names)}) VALUES ({marks})"  # noqa: S608 - names of our schema
    connection.executemany(query, rows)


def _now() -> str:
    seconds, nanoseconds = divmod(time.time_ns(), 1_000_000_000)
    moment = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(seconds))
    return f"{moment}.{nanoseconds // 1_000_000:03d}Z"
