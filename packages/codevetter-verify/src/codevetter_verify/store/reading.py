"""The store for who may only read: a connection that cannot write, and nothing that could.

Nothing is created, migrated or repaired: what is not as this program leaves it is refused.
"""

from __future__ import annotations

import sqlite3
from contextlib import contextmanager
from typing import TYPE_CHECKING

import sqlalchemy as sa
from anyio import to_thread

from codevetter_verify.errors import StorageFailedError
from codevetter_verify.store import enablements, receipts
from codevetter_verify.store.database import BUSY_S, translated
from codevetter_verify.store.places import (
    FILE_NAME,
    migrations,
    private_home,
    refuse_replaced,
    refuse_shared_file,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path
    from typing import TypeVar

    from codevetter_verify.domain.records import Enablement, IndexedReceipt, Permission, StoredReceipt
    from codevetter_verify.models import TrexPreviewReceipt

    R = TypeVar("R")


class ReadingStore:
    """Receipts and permissions, to look at. Every method may raise `StorageFailedError`."""

    def __init__(self, home: Path) -> None:
        self._path = home / FILE_NAME
        self._engine = sa.create_engine("sqlite://", creator=self._connect, poolclass=sa.NullPool)
        with translated(self._path):
            private_home(home)
            refuse_shared_file(self._path)
        with self._reading() as connection:
            version = int(connection.exec_driver_sql("PRAGMA user_version").scalar_one())
        if version != len(migrations()):
            raise StorageFailedError(
                f"{self._path} was written by another version (schema {version}, known {len(migrations())})",
                hint="run `codevetter history status` with the codevetter of this server's version",
            )

    async def enablement(self, repo_id: str, *, permission: Permission) -> Enablement | None:
        """A permission as it is now."""
        return await self._read(
            lambda connection: enablements.find(connection, repo_id, permission=permission)
        )

    async def receipt(self, run_id: str, *, repo_key: str) -> tuple[TrexPreviewReceipt, str]:
        """A receipt of this repository with its SHA-256, checked; raises `ReceiptNotFoundError`."""
        return await self._read(lambda connection: receipts.fetch_of(connection, run_id, repo_key=repo_key))

    async def index(self, *, repo_key: str) -> list[IndexedReceipt]:
        """Which receipts of a repository there are, the newest first."""
        return await self._read(lambda connection: receipts.index(connection, repo_key=repo_key))

    async def lines(self, run_ids: Sequence[str]) -> list[StoredReceipt]:
        """Some receipts, checked, the newest first."""
        return await self._read(lambda connection: receipts.lines(connection, run_ids))

    async def _read(self, action: Callable[[sa.Connection], R]) -> R:
        def work() -> R:
            with self._reading() as connection:
                return action(connection)

        return await to_thread.run_sync(work)

    @contextmanager
    def _reading(self) -> Iterator[sa.Connection]:
        with translated(self._path):
            refuse_replaced(self._path)  # every time: a server has it open for days
            with self._engine.connect() as connection:
                yield connection

    def _connect(self) -> sqlite3.Connection:
        connection = sqlite3.connect(f"{self._path.as_uri()}?mode=ro", uri=True, timeout=BUSY_S)
        connection.execute("PRAGMA query_only = ON")
        return connection
