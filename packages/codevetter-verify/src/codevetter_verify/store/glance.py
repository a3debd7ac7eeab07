"""One look at a repository's enablement, for a server that starts: no database library, nothing written.

It answers only where everything is as the store leaves it, and nobody left a run behind. In any other case
the store itself has to be opened, which migrates, refuses or repairs.
"""

from __future__ import annotations

import datetime as dt
import json
import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

from codevetter_verify.domain.records import Enablement
from codevetter_verify.errors import StorageFailedError
from codevetter_verify.store.places import (
    FILE_NAME,
    PERMISSION_TABLES,
    migrations,
    private_home,
    refuse_shared_file,
)
from oskit.files import StorageError

if TYPE_CHECKING:
    from pathlib import Path

    from codevetter_verify.domain.records import Permission

BUSY_S = 1.0


def glanced_enablement(home: Path, repo_id: str) -> Enablement | None:
    """The permission to verify a repository; None where it takes the store to tell."""
    try:
        return _glanced(home, repo_id, "verification", unless="SELECT 1 FROM active_runs")
    except (StorageError, sqlite3.Error, OSError, ValueError):
        return None


def glanced_history(home: Path, repo_id: str) -> Enablement | None:
    """The permission to read the history of a repository; None where there is none.

    Nothing is repaired for a reader: what cannot be read raises `StorageFailedError`.
    """
    try:
        return _glanced(home, repo_id, "history")
    except StorageError as exc:
        raise StorageFailedError(exc.message, hint=exc.hint) from exc
    except (sqlite3.Error, OSError, ValueError) as exc:
        raise StorageFailedError(
            f"{home / FILE_NAME}: {exc}", hint="run `codevetter history status`"
        ) from exc


def _glanced(
    home: Path, repo_id: str, permission: Permission, *, unless: str | None = None
) -> Enablement | None:
    file = home / FILE_NAME
    if not file.is_file():
        return None
    private_home(home)
    refuse_shared_file(file)
    with closing(sqlite3.connect(f"{file.as_uri()}?mode=ro", uri=True, timeout=BUSY_S)) as connection:
        connection.row_factory = sqlite3.Row
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        if version != len(migrations()):
            raise ValueError(f"written by another version (schema {version}, known {len(migrations())})")
        if unless is not None and connection.execute(unless).fetchone():
            return None
        query = f"SELECT * FROM {PERMISSION_TABLES[permission]} WHERE repo_id = ?"  # noqa: S608 - a name of ours
        row = connection.execute(query, (repo_id,)).fetchone()
    return None if row is None else _enablement(row)


def _enablement(row: sqlite3.Row) -> Enablement:
    expires_at = row["expires_at"]
    return Enablement(
        repo_id=row["repo_id"],
        repo_key=row["repo_key"],
        repo_path=row["repo_path"],
        state=row["state"],
        changed_at=dt.datetime.fromisoformat(row["changed_at"]),
        changed_by=row["changed_by"],
        expires_at=None if expires_at is None else dt.datetime.fromisoformat(expires_at),
        preview_hosts=tuple(json.loads(row["preview_hosts"])),
    )
