"""The one door to the state: opening, migrating, and transactions whose failures are ours."""

from __future__ import annotations

import contextlib
import os
import sqlite3
import threading
from typing import TYPE_CHECKING
from urllib.parse import quote

import sqlalchemy as sa

from artifactize.errors import StateCorruptError, StateError
from artifactize.store.migrating import is_made, migrate
from oskit.files import StorageError, ensure_private_dir

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path
    from typing import Self

FILE = "artifactize.db"
BUSY_TIMEOUT_S = 30.0
"""How long a transaction waits for another process's; each takes milliseconds."""

_CORRUPT = ("malformed", "not a database", "disk image")
_BEGIN = "artifactize_begin"
_LEAST_FREE = 128 * 1024


class Store:
    """An open database. A connection is a transaction: `read` sees one moment, `write` is all or nothing."""

    def __init__(self, path: Path, *, engine: sa.Engine | None = None) -> None:
        self.path = path
        self._engine = engine or make_engine(path)
        self._reading = self._engine.execution_options(**{_BEGIN: "BEGIN"})
        self._lock = threading.Lock()
        self._watching: sa.PoolProxiedConnection | None = None

    @classmethod
    def open(cls, state_dir: Path) -> Self:
        """Open the state, making or migrating it first. Raises StateError."""
        path = state_dir / FILE
        with translated(path):
            ensure_private_dir(state_dir)
            # not opened if it is there: closing it would drop the locks of our other connections (POSIX),
            # and another process would take away the write-ahead log beneath them
            with contextlib.suppress(FileExistsError):
                os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600))
            store = cls(path)
            migrate(store._engine, path)
        return store

    @classmethod
    def existing(cls, state_dir: Path) -> Self | None:
        """Open the state without making one, in the newest schema; None when there is none."""
        path = state_dir / FILE
        with translated(path):
            if not path.is_file():
                return None
            store = cls(path)
            if is_made(store._engine, path):
                migrate(store._engine, path)
                return store
            store.close()
        return None

    @contextlib.contextmanager
    def read(self) -> Iterator[sa.Connection]:
        """Give a connection that sees one moment of the state. Raises StateError."""
        with translated(self.path), self._reading.begin() as connection:
            yield connection

    @contextlib.contextmanager
    def write(self) -> Iterator[sa.Connection]:
        """Give a connection that no other writer interrupts (BEGIN IMMEDIATE). Raises StateError."""
        with translated(self.path), self._engine.begin() as connection:
            yield connection

    def stamp(self) -> tuple[tuple[int, int] | None, ...]:
        """Return what a transaction of any process moves, as a rule: two in one tick of the clock may not.

        Cheap enough to be asked a hundred times a second, which a query is not.
        """
        return _stamp(f"{self.path}-wal"), _stamp(str(self.path))

    def version(self) -> int:
        """Return a number that any transaction of any process moves. Raises StateError."""
        with translated(self.path), self._lock:
            if self._watching is None:
                self._watching = self._engine.raw_connection()
            cursor = self._watching.cursor()
            # SQLite counts, for each connection, what the others have committed; this one commits nothing
            found: int = cursor.execute("PRAGMA data_version").fetchone()[0]
            cursor.close()
        return found

    def close(self) -> None:
        """Close every connection."""
        if self._watching is not None:
            self._watching.close()
            self._watching = None
        self._engine.dispose()


def _stamp(file: str) -> tuple[int, int] | None:
    try:
        found = os.stat(file)  # noqa: PTH116 - no Path is made of it a hundred times a second
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size


def make_engine(path: Path, *, read_only: bool = False) -> sa.Engine:
    """Return what connects to a database; with `read_only` SQLite itself refuses every change."""
    if read_only:
        place = f"file:{quote(str(path))}?mode=ro"
        engine = sa.create_engine(
            "sqlite://",
            poolclass=sa.QueuePool,
            creator=lambda: sqlite3.connect(place, uri=True, timeout=BUSY_TIMEOUT_S, check_same_thread=False),
        )
    else:
        arguments = {"timeout": BUSY_TIMEOUT_S, "check_same_thread": False}
        engine = sa.create_engine(f"sqlite:///{path}", connect_args=arguments)

    @sa.event.listens_for(engine, "connect")
    def prepare(connection: sqlite3.Connection, _record: object) -> None:
        connection.isolation_level = None  # transactions begin where we say so, not where the driver guesses
        connection.execute("PRAGMA foreign_keys = ON")
        # a verdict that was reported must survive a power cut, so every commit reaches the disk
        connection.execute("PRAGMA synchronous = FULL")

    @sa.event.listens_for(engine, "begin")
    def begin(connection: sa.Connection) -> None:
        connection.exec_driver_sql(connection.get_execution_options().get(_BEGIN, "BEGIN IMMEDIATE"))

    return engine


@contextlib.contextmanager
def translated(path: Path) -> Iterator[None]:
    """Raise StateError for what SQLite and the file system raise."""
    try:
        yield
    except sa.exc.DBAPIError as failure:
        raise _state_error(path, str(failure.orig)) from failure
    except sqlite3.Error as failure:
        raise _state_error(path, str(failure)) from failure
    except StorageError as failure:
        raise StateError(failure.message, hint=failure.hint) from failure
    except OSError as failure:
        raise StateError(
            f"cannot open {path}: {failure.strerror}", hint="choose another --state-dir"
        ) from failure


def _is_full(path: Path) -> bool:
    """Whether there is hardly any room: of shared memory that does not fit, SQLite tells as an I/O error."""
    try:
        found = os.statvfs(path.parent)
    except OSError:
        return False
    return found.f_bavail * found.f_frsize < _LEAST_FREE


def _state_error(path: Path, problem: str) -> StateError:
    if any(word in problem for word in _CORRUPT):
        return StateCorruptError(str(path), problem)
    if "full" in problem or ("I/O error" in problem and _is_full(path)):
        return StateError(
            f"cannot write {path}: {problem}", hint="free some space; nothing recorded was lost"
        )
    return StateError(f"cannot use {path}: {problem}", hint="check that you may write its folder")
