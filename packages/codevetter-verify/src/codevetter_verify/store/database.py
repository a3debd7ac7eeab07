"""Opens the database: a private file, WAL, one writer at a time, migrated to what this program knows."""

from __future__ import annotations

import os
import re
import sqlite3
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

import sqlalchemy as sa

from codevetter_verify.errors import StorageFailedError
from codevetter_verify.store.places import (
    FILE_NAME,
    migrations,
    private_home,
    refuse_replaced,
    refuse_shared_file,
)
from oskit.files import StorageError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

BUSY_S = 15.0
_READ_ONLY = "codevetter_read_only"


class Database:
    """One file; `reading` and `writing` are transactions. Every failure is a `StorageFailedError`."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self._path = home / FILE_NAME
        with translated(self._path):
            private_home(home)
            _create_private(self._path)
            refuse_shared_file(self._path)
            self._engine = _engine(self._path)
            self._migrate()

    @contextmanager
    def writing(self) -> Iterator[sa.Connection]:
        """A transaction that holds the write lock from its start, so that what it read is what it changes."""
        with self._connected() as connection, connection.begin():
            yield connection

    @contextmanager
    def reading(self) -> Iterator[sa.Connection]:
        """A transaction that sees one state and blocks nobody."""
        with self._connected() as connection:
            yield connection.execution_options(**{_READ_ONLY: True})

    @contextmanager
    def _connected(self) -> Iterator[sa.Connection]:
        """The file is looked at every time: a server has it open for days."""
        with translated(self._path):
            refuse_replaced(self._path)
            with self._engine.connect() as connection:
                yield connection

    def _migrate(self) -> None:
        known = migrations()
        with self.reading() as connection:
            version = _version(connection)
        if version > len(known):
            raise StorageFailedError(
                f"{self._path} was written by a newer version (schema {version}, known {len(known)})",
                hint="update codevetter-verify, or set CODEVETTER_HOME to another directory",
            )
        if version < len(known):
            self._run_migrations(known)

    def _run_migrations(self, known: list[str]) -> None:
        with self.writing() as connection:
            for number in range(_version(connection), len(known)):  # another process may have been first
                for statement in _statements(known[number]):
                    connection.exec_driver_sql(statement)
                connection.exec_driver_sql(f"PRAGMA user_version = {number + 1}")


def _engine(path: Path) -> sa.Engine:
    engine = sa.create_engine(f"sqlite:///{path}", poolclass=sa.NullPool, connect_args={"timeout": BUSY_S})

    @sa.event.listens_for(engine, "connect")
    def configure(connection: sqlite3.Connection, _record: object) -> None:
        connection.isolation_level = (
            None  # we say BEGIN ourselves (SQLAlchemy, "Serializable isolation" for SQLite)
        )
        for setting in ("journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON"):
            connection.execute(f"PRAGMA {setting}")

    @sa.event.listens_for(engine, "begin")
    def begin(connection: sa.Connection) -> None:
        read_only = connection.get_execution_options().get(_READ_ONLY, False)
        connection.exec_driver_sql("BEGIN" if read_only else "BEGIN IMMEDIATE")

    return engine


def _create_private(path: Path) -> None:
    """Make the file before SQLite does, which would give it the umask's mode.

    Its journals take the file's mode.
    """
    with suppress(FileExistsError):
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600))


def _version(connection: sa.Connection) -> int:
    return int(connection.exec_driver_sql("PRAGMA user_version").scalar_one())


def _statements(script: str) -> list[str]:
    """The statements of a migration: each ends with `;` at the end of a line, comments are whole lines."""
    text = "\n".join(line for line in script.splitlines() if not line.lstrip().startswith("--"))
    return [statement for part in re.split(r";\s*$", text, flags=re.MULTILINE) if (statement := part.strip())]


@contextmanager
def translated(path: Path) -> Iterator[None]:
    """Turn what SQLite, SQLAlchemy and the file system raise into `StorageFailedError`."""
    try:
        yield
    except StorageError as exc:
        raise StorageFailedError(exc.message, hint=exc.hint) from exc
    except (sa.exc.SQLAlchemyError, sqlite3.Error, OSError) as exc:
        reason = str(getattr(exc, "orig", None) or exc).splitlines()[0]
        raise StorageFailedError(f"{path}: {reason}", hint="check the disk and CODEVETTER_HOME") from exc
