"""Opening the database of a review store."""

from __future__ import annotations

import contextlib
import os
import sqlite3
from typing import TYPE_CHECKING

import sqlalchemy as sa

from artifactize.errors import ReviewStoreError
from artifactize.store.team.tables import VERSION, metadata, versions
from oskit.files import StorageError, ensure_private_dir

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path
    from typing import Self

FILE = "review-store.db"
_BUSY_S = 30.0
_SERIALIZATION = frozenset({"40001", "40P01"})  # PostgreSQL: serialization failure, deadlock
_BEGIN = "review_store_begin"


class RacedError(ReviewStoreError):
    """Another writer was faster; the same transaction, done again, sees what it wrote."""


class TeamDatabase:
    """An open database. A connection is a transaction."""

    def __init__(self, engine: sa.Engine, name: str) -> None:
        self._engine = engine
        self._reading = engine.execution_options(**{_BEGIN: "BEGIN"})
        self.name = name

    @classmethod
    def in_folder(cls, folder: Path) -> Self:
        """Open the SQLite database of a folder, made private when there is none. Raises ReviewStoreError."""
        path = folder / FILE
        try:
            ensure_private_dir(folder)
            with contextlib.suppress(FileExistsError):  # not opened if it is there: see `store.database`
                os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600))
        except StorageError as failure:
            raise ReviewStoreError(failure.message, hint=failure.hint) from failure
        except OSError as failure:
            raise ReviewStoreError(f"cannot open {path}: {failure.strerror}") from failure
        store = cls(_sqlite(path), str(path))
        store.make()
        return store

    @classmethod
    def at(cls, url: str) -> Self:
        """Open a database by its SQLAlchemy URL: `postgresql+psycopg://…`. Raises ReviewStoreError."""
        try:
            parsed = sa.make_url(url)
            # READ COMMITTED would do for lookups, too, but tombstones are decided on what was read
            engine = sa.create_engine(parsed, isolation_level="REPEATABLE READ", pool_pre_ping=True)
        except (sa.exc.ArgumentError, sa.exc.NoSuchModuleError, ModuleNotFoundError) as failure:
            hint = "a URL like postgresql+psycopg://user@host/database, and the extra artifactize[postgresql]"
            raise ReviewStoreError(f"cannot use the database URL: {failure}", hint=hint) from failure
        store = cls(engine, parsed.render_as_string(hide_password=True))
        store.make()
        return store

    @contextlib.contextmanager
    def read(self) -> Iterator[sa.Connection]:
        """Give a connection that sees one moment. Raises ReviewStoreError."""
        with self._translated(), self._reading.begin() as connection:
            yield connection

    @contextlib.contextmanager
    def write(self) -> Iterator[sa.Connection]:
        """Give a connection whose changes are on the disk when it is left. Raises ReviewStoreError."""
        with self._translated(), self._engine.begin() as connection:
            yield connection

    def close(self) -> None:
        """Close every connection."""
        self._engine.dispose()

    def make(self) -> None:
        """Make the tables that are missing. Raises ReviewStoreError for a newer schema."""
        with self.write() as connection:
            metadata.create_all(connection)
            found = connection.execute(sa.select(versions.c.version)).scalar_one_or_none()
            if found is None:
                connection.execute(sa.insert(versions).values(version=VERSION))
        if found is not None and found > VERSION:
            raise ReviewStoreError(
                f"{self.name} was written by a newer version (schema {found}, known {VERSION})",
                hint="run the newer artifactize on this database",
            )

    @contextlib.contextmanager
    def _translated(self) -> Iterator[None]:
        try:
            yield
        except (sa.exc.IntegrityError, sa.exc.OperationalError) as failure:
            if _is_a_race(failure):
                raise RacedError(f"cannot use {self.name}: {failure.orig}") from failure
            raise ReviewStoreError(f"cannot use {self.name}: {failure.orig}") from failure
        except sa.exc.DBAPIError as failure:
            raise ReviewStoreError(f"cannot use {self.name}: {failure.orig}") from failure
        except sqlite3.Error as failure:
            raise ReviewStoreError(f"cannot use {self.name}: {failure}") from failure


def _is_a_race(failure: sa.exc.DBAPIError) -> bool:
    state = getattr(failure.orig, "sqlstate", None)
    return isinstance(failure, sa.exc.IntegrityError) or state in _SERIALIZATION


def _sqlite(path: Path) -> sa.Engine:
    engine = sa.create_engine(
        f"sqlite:///{path}", connect_args={"timeout": _BUSY_S, "check_same_thread": False}
    )

    @sa.event.listens_for(engine, "connect")
    def prepare(connection: sqlite3.Connection, _record: object) -> None:
        connection.isolation_level = None  # transactions begin where we say so
        connection.execute("PRAGMA journal_mode = WAL")
        # what was acknowledged must survive a power cut
        connection.execute("PRAGMA synchronous = FULL")

    @sa.event.listens_for(engine, "begin")
    def begin(connection: sa.Connection) -> None:
        connection.exec_driver_sql(connection.get_execution_options().get(_BEGIN, "BEGIN IMMEDIATE"))

    return engine
