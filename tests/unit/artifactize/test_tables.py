from __future__ import annotations

import sqlite3
import types
import typing
from dataclasses import fields
from typing import TYPE_CHECKING, Any

import pytest
import sqlalchemy as sa

from artifactize.models import states, stored
from artifactize.store.migrating import migrations
from artifactize.store.tables import metadata

if TYPE_CHECKING:
    from collections.abc import Mapping

TABLES = metadata.sorted_tables


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.name)
def test_a_table_and_its_model_have_the_same_fields(table: sa.Table) -> None:
    """Names, order and which may be absent."""
    model = table.info["model"]
    scope: Mapping[str, Any] = {**vars(stored), **vars(states), "Mapping": typing.Mapping}
    hints = typing.get_type_hints(model, globalns=dict(scope))
    nullable = {each.name: _optional(hints[each.name]) for each in fields(model)}

    assert {column.name: column.nullable for column in table.columns} == nullable
    assert [column.name for column in table.columns] == list(nullable)


def test_every_stored_model_has_a_table() -> None:
    models = {value for value in vars(stored).values() if hasattr(value, "__dataclass_fields__")}

    assert {table.info["model"] for table in TABLES} == models


def test_the_migrations_make_exactly_these_tables() -> None:
    migrated = sqlite3.connect(":memory:")
    for _, script in migrations():
        migrated.executescript(script)
    made = sa.create_engine("sqlite://")
    metadata.create_all(made)

    with made.connect() as connection:
        wanted = connection.exec_driver_sql(_SCHEMA).fetchall()

    assert _plain(migrated.execute(_SCHEMA).fetchall()) == _plain(wanted)
    migrated.close()
    made.dispose()


_SCHEMA = "SELECT type, name, sql FROM sqlite_master WHERE name NOT LIKE 'sqlite_%' ORDER BY name"


def _plain(rows: Any) -> list[tuple[str, str, str]]:
    return [(kind, name, "".join(str(sql).split())) for kind, name, sql in rows]


def _optional(hint: object) -> bool:
    return isinstance(hint, types.UnionType) and type(None) in hint.__args__
