"""Who may do what: one table a permission, one row a repository."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

import sqlalchemy as sa

from codevetter_verify.domain.records import Enablement
from codevetter_verify.store.tables import permissions

if TYPE_CHECKING:
    import datetime as dt

    from codevetter_verify.domain.records import Permission


def put(connection: sa.Connection, enablement: Enablement, *, permission: Permission) -> None:
    """Make this the repository's enablement, whatever there was before."""
    enablements = permissions[permission]
    connection.execute(sa.delete(enablements).where(enablements.c.repo_key == enablement.repo_key))
    values = {**asdict(enablement), "preview_hosts": list(enablement.preview_hosts)}
    connection.execute(sa.insert(enablements).values(**values))


def disable(
    connection: sa.Connection, repo_id: str, *, permission: Permission, at: dt.datetime, by: str
) -> bool:
    """Withdraw the permission; False when there was none."""
    enablements = permissions[permission]
    statement = sa.update(enablements).where(enablements.c.repo_id == repo_id)
    return connection.execute(statement.values(state="disabled", changed_at=at, changed_by=by)).rowcount > 0


def find(connection: sa.Connection, repo_id: str, *, permission: Permission) -> Enablement | None:
    """The enablement with this id."""
    enablements = permissions[permission]
    row = (
        connection.execute(sa.select(enablements).where(enablements.c.repo_id == repo_id))
        .mappings()
        .one_or_none()
    )
    return None if row is None else _enablement(row)


def every(connection: sa.Connection, *, permission: Permission) -> list[Enablement]:
    """All enablements, by path."""
    enablements = permissions[permission]
    rows = connection.execute(sa.select(enablements).order_by(enablements.c.repo_path)).mappings()
    return [_enablement(row) for row in rows]


def _enablement(row: sa.RowMapping) -> Enablement:
    return Enablement(**{**row, "preview_hosts": tuple(row["preview_hosts"])})
