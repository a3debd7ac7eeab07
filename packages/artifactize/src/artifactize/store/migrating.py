"""Numbered forward migrations: `migrations/0001_initial.sql` and its successors, run on open."""

from __future__ import annotations

from importlib.resources import files
from typing import TYPE_CHECKING

from artifactize.errors import StateCorruptError, StateNewerError

if TYPE_CHECKING:
    from pathlib import Path

    import sqlalchemy as sa

_VERSION_TABLE = "CREATE TABLE IF NOT EXISTS schema_version (version INTEGER NOT NULL PRIMARY KEY) STRICT"


def migrations() -> list[tuple[int, str]]:
    """Return every migration with its number, in order."""
    folder = files("artifactize.store") / "migrations"
    scripts = sorted(
        (item for item in folder.iterdir() if item.name.endswith(".sql")), key=lambda item: item.name
    )
    return [(int(script.name[:4]), script.read_text(encoding="utf-8")) for script in scripts]


def migrate(engine: sa.Engine, path: Path) -> None:
    """Bring the database to the newest schema; does nothing when it is there. Raises StateNewerError."""
    known = migrations()
    if _version(engine) == known[-1][0]:
        return
    with engine.connect() as connection:
        raw = connection.connection.driver_connection
        assert raw is not None
        raw.execute("PRAGMA journal_mode = WAL")  # not possible inside a transaction
    with engine.begin() as connection:
        connection.exec_driver_sql(_VERSION_TABLE)
        current = _read_version(connection)
        if current > known[-1][0]:
            raise StateNewerError(str(path), current, known[-1][0])
        for number, script in known:
            if number > current:
                _apply(connection, number, script)


def is_made(engine: sa.Engine, path: Path) -> bool:
    """Whether a database is a state of ours; false for one without a table, which a full disk may leave.

    Raises StateNewerError, or StateCorruptError for one that is none of ours.
    """
    newest = migrations()[-1][0]
    current = _version(engine)
    if current > newest:
        raise StateNewerError(str(path), current, newest)
    if current:
        return True
    with engine.execution_options(artifactize_begin="BEGIN").begin() as connection:
        tables = connection.exec_driver_sql("SELECT count(*) FROM sqlite_master").scalar_one()
    if tables:
        raise StateCorruptError(str(path), "it has no schema version")
    return False


def is_current(engine: sa.Engine) -> bool:
    """Whether a database has the newest schema."""
    return _version(engine) == migrations()[-1][0]


def _version(engine: sa.Engine) -> int:
    with engine.execution_options(artifactize_begin="BEGIN").begin() as connection:
        return _read_version(connection)


def _read_version(connection: sa.Connection) -> int:
    found = connection.exec_driver_sql("SELECT name FROM sqlite_master WHERE name = 'schema_version'").first()
    if found is None:
        return 0
    return int(
        connection.exec_driver_sql("SELECT coalesce(max(version), 0) FROM schema_version").scalar_one()
    )


def _apply(connection: sa.Connection, number: int, script: str) -> None:
    for statement in script.split(";\n"):
        if statement.strip():
            connection.exec_driver_sql(statement)
    connection.exec_driver_sql("INSERT INTO schema_version VALUES (?)", (number,))
