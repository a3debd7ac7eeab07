"""Who asked for what, when and how it ended: the newest rows of each repository, and nothing of a request."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

import sqlalchemy as sa

from codevetter_verify.domain.records import AuditEntry
from codevetter_verify.store.tables import audit

if TYPE_CHECKING:
    from sqlalchemy.engine import RowMapping

MAX_ROWS = 1000
"""What is kept of each repository."""
MAX_WITHOUT_RUN = 500
"""How many of them may be of calls that ran nothing: repeating refused calls pushes out no run's entry."""


def note(connection: sa.Connection, entry: AuditEntry) -> None:
    """Keep an entry, and let the oldest of its repository go that are over the bound."""
    connection.execute(sa.insert(audit).values(**asdict(entry)))
    ours = audit.c.repo_key == entry.repo_key
    _keep_newest(connection, ours, audit.c.run_id.is_(None), limit=MAX_WITHOUT_RUN)
    _keep_newest(connection, ours, limit=MAX_ROWS)


def listing(connection: sa.Connection, *, repo_key: str | None, limit: int) -> list[AuditEntry]:
    """The newest entries, of one repository or of all."""
    query = sa.select(audit).order_by(audit.c.id.desc()).limit(limit)
    if repo_key is not None:
        query = query.where(audit.c.repo_key == repo_key)
    return [_entry(row) for row in connection.execute(query).mappings()]


def clear(connection: sa.Connection, *, repo_key: str | None) -> int:
    """Forget the entries of one repository or of all; how many there were."""
    statement = sa.delete(audit)
    if repo_key is not None:
        statement = statement.where(audit.c.repo_key == repo_key)
    return connection.execute(statement).rowcount


def _keep_newest(connection: sa.Connection, *these: sa.ColumnElement[bool], limit: int) -> None:
    newest = sa.select(audit.c.id).where(*these).order_by(audit.c.id.desc()).limit(limit)
    connection.execute(sa.delete(audit).where(*these, audit.c.id.not_in(newest)))


def _entry(row: RowMapping) -> AuditEntry:
    return AuditEntry(**{name: value for name, value in row.items() if name != "id"})
