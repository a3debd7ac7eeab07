"""The tables of a review store. `state` of an entry is its verdict, or REMOVED for a tombstone."""

from __future__ import annotations

import sqlalchemy as sa

VERSION = 1
TOMBSTONE = "REMOVED"

metadata = sa.MetaData()

versions = sa.Table("schema_version", metadata, sa.Column("version", sa.Integer, primary_key=True))

entries = sa.Table(
    "entries",
    metadata,
    # a number that was given out never comes back: SQLite's AUTOINCREMENT, PostgreSQL's identity
    sa.Column(
        "sequence",
        sa.BigInteger().with_variant(sa.Integer, "sqlite"),
        sa.Identity(),
        primary_key=True,
        autoincrement=True,
    ),
    sa.Column("key", sa.Text, nullable=False),
    sa.Column("state", sa.Text, nullable=False),
    sa.Column("eval", sa.Text, nullable=False),
    sa.Column("execution", sa.Text, nullable=False),
    sa.Column("document", sa.Text, nullable=False),
    sa.Column("token", sa.Text, nullable=False),
    sa.Column("received_at", sa.Text, nullable=False),
    sa.Column("used", sa.BigInteger, nullable=False),
    sa.UniqueConstraint("key", "execution", name="one_entry_an_execution"),
    sa.CheckConstraint("state IN ('GREEN', 'RED', 'REMOVED')", name="state_known"),
    sa.Index("entries_by_key", "key", "sequence"),
    sa.Index("entries_by_token", "token"),
    sa.Index("entries_by_use", "used"),
    sqlite_autoincrement=True,
)

tokens = sa.Table(
    "tokens",
    metadata,
    sa.Column("name", sa.Text, primary_key=True),
    sa.Column("digest", sa.Text, nullable=False, unique=True),
    sa.Column("scopes", sa.Text, nullable=False),
    sa.Column("created_at", sa.Text, nullable=False),
    sa.Column("expires_at", sa.Text, nullable=True),
    sa.Column("revoked_at", sa.Text, nullable=True),
)
