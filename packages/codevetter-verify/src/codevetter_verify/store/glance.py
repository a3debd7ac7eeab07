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
from codevetter_verify.store.places import FILE_NAME, migrations, refuse_worktree
from oskit.files import StorageError, ensure_private_dir

if TYPE_CHECKING:
    from pathlib import Path

BUSY_S = 1.0


def glanced_enablement(home: Path, repo_id: str) -> Enablement | None:
    """The enablement of a repository; None where it takes the store to tell."""
    file = home / FILE_NAME
    try:
        if not file.is_file():
            return None
        ensure_private_dir(home)
        refuse_worktree(home)
        with closing(sqlite3.connect(f"{file.as_uri()}?mode=ro", uri=True, timeout=BUSY_S)) as connection:
            return _read(connection, repo_id)
    except (StorageError, sqlite3.Error, OSError, ValueError):
        return None


def _read(connection: sqlite3.Connection, repo_id: str) -> Enablement | None:
    connection.row_factory = sqlite3.Row
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if version != len(migrations()) or connection.execute("SELECT 1 FROM active_runs").fetchone():
        return None
    row = connection.execute("SELECT * FROM enablements WHERE repo_id = ?", (repo_id,)).fetchone()
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
