"""Whether the database is whole."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import sqlalchemy as sa


def faults(connection: sa.Connection) -> list[str]:
    """Return what SQLite finds wrong with the file; nothing when it is whole."""
    found = [str(row[0]) for row in connection.exec_driver_sql("PRAGMA quick_check(10)")]
    return [] if found == ["ok"] else found
