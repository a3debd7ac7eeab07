"""The tables as SQLAlchemy sees them; `migrations/` is what makes them."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING

import sqlalchemy as sa

from codevetter_verify.store.places import PERMISSION_TABLES

if TYPE_CHECKING:
    from codevetter_verify.domain.records import Permission

metadata = sa.MetaData()


class Moment(sa.TypeDecorator[dt.datetime]):
    """Aware datetimes as UTC text of one length, so that the order of texts is the order of times."""

    impl = sa.Text
    cache_ok = True

    def process_bind_param(self, value: dt.datetime | None, dialect: sa.Dialect) -> str | None:
        """To the column."""
        del dialect
        return None if value is None else value.astimezone(dt.UTC).isoformat(timespec="microseconds")

    def process_result_value(self, value: str | None, dialect: sa.Dialect) -> dt.datetime | None:
        """From the column."""
        del dialect
        return None if value is None else dt.datetime.fromisoformat(value)


receipts = sa.Table(
    "receipts",
    metadata,
    sa.Column("run_id", sa.Text, primary_key=True),
    sa.Column("repo_key", sa.Text, nullable=False),
    sa.Column("repo_path", sa.Text, nullable=False),
    sa.Column("ran_at", sa.Text, nullable=False),
    sa.Column("verdict", sa.Text, nullable=False),
    sa.Column("head_sha", sa.Text),
    sa.Column("summary", sa.Text, nullable=False),
    sa.Column("document", sa.LargeBinary, nullable=False),
    sa.Column("sha256", sa.Text, nullable=False),
)


def _enablements(name: str) -> sa.Table:
    return sa.Table(
        name,
        metadata,
        sa.Column("repo_id", sa.Text, primary_key=True),
        sa.Column("repo_key", sa.Text, nullable=False, unique=True),
        sa.Column("repo_path", sa.Text, nullable=False),
        sa.Column("state", sa.Text, nullable=False),
        sa.Column("changed_at", Moment, nullable=False),
        sa.Column("changed_by", sa.Text, nullable=False),
        sa.Column("expires_at", Moment),
        sa.Column("preview_hosts", sa.JSON, nullable=False),
    )


permissions: dict[Permission, sa.Table] = {
    name: _enablements(table) for name, table in PERMISSION_TABLES.items()
}

active_runs = sa.Table(
    "active_runs",
    metadata,
    sa.Column("run_id", sa.Text, primary_key=True),
    sa.Column("repo_key", sa.Text, nullable=False, unique=True),
    sa.Column("owner", sa.Text, nullable=False),
    sa.Column("started_at", Moment, nullable=False),
    sa.Column("browser", sa.Text),
    sa.Column("repo_path", sa.Text),
    sa.Column("source_kind", sa.Text),
    sa.Column("source_input", sa.Text),
    sa.Column("preview", sa.Text),
    sa.Column("stage", sa.Text),
    sa.Column("seen_at", Moment),
    sa.Column("face", sa.Text),
    sa.Column("routes", sa.JSON),
)

audit = sa.Table(
    "audit",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("repo_key", sa.Text, nullable=False),
    sa.Column("at", Moment, nullable=False),
    sa.Column("face", sa.Text, nullable=False),
    sa.Column("operation", sa.Text, nullable=False),
    sa.Column("status", sa.Text, nullable=False),
    sa.Column("verdict", sa.Text),
    sa.Column("run_id", sa.Text),
    sa.Column("duration_ms", sa.Integer, nullable=False),
    sa.Column("request_bytes", sa.Integer, nullable=False),
    sa.Column("result_bytes", sa.Integer, nullable=False),
)
