"""What changes do to databases."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from prview.domain.findings import Level
from prview.signals.schema.analyzer import ARTIFACT, Schema
from prview.signals.schema.migrations import is_migration
from prview.signals.schema.prisma import prisma_operations
from prview.signals.schema.python_migrations import migration_operations
from prview.signals.schema.sql import sql_operations
from support.signal_context import Tree, places, said

if TYPE_CHECKING:
    from pathlib import Path

    from prview.signals.schema.operation import SchemaOperation

pytestmark = pytest.mark.anyio


def _rules(operations: list[SchemaOperation]) -> list[tuple[int, str]]:
    return [(item.line, item.rule) for item in operations]


@pytest.mark.parametrize(
    ("statement", "rule"),
    [
        ("DROP TABLE IF EXISTS users;", "drop-table"),
        ("drop schema old cascade", "drop-table"),
        ("TRUNCATE users;", "truncate"),
        ("DELETE FROM users;", "delete-all"),
        ("UPDATE users SET name = 'where';", "update-all"),
        ("ALTER TABLE ONLY public.users\n  DROP COLUMN name;", "drop-column"),
        ("alter table `users` drop name;", "drop-column"),
        ("ALTER TABLE users RENAME COLUMN a TO b;", "rename"),
        ("ALTER TABLE users RENAME TO people;", "rename"),
        ("ALTER TABLE users ALTER COLUMN age TYPE bigint;", "type-change"),
        ("ALTER TABLE users MODIFY age bigint;", "type-change"),
        ("ALTER TABLE users ALTER COLUMN age SET NOT NULL;", "not-null"),
        ("ALTER TABLE users ADD COLUMN age int NOT NULL;", "not-null"),
        ("ALTER TYPE mood DROP VALUE 'sad';", "drop-value"),
    ],
)
def test_destructive_sql_is_found_at_its_line(statement: str, rule: str) -> None:
    assert _rules(sql_operations(f"-- a remark\nselect 1;\n\n{statement}\n")) == [(4, rule)]


@pytest.mark.parametrize(
    "text",
    [
        "-- DROP TABLE users;\n/* TRUNCATE users; */\n",
        "insert into log values ('DROP TABLE users; DELETE FROM x');",
        "create function f() as $$ begin delete from x; end $$;",
        "DELETE FROM users WHERE id = 1;\nUPDATE users SET a = 1 WHERE b = 2;",
        "CREATE TEMP TABLE t (a int);\nDROP TABLE t;",
        "ALTER TABLE users ADD COLUMN age int NOT NULL DEFAULT 0;\nALTER TABLE users ADD age int;",
        "ALTER TABLE users DROP CONSTRAINT c;\nALTER TABLE users ALTER COLUMN a DROP NOT NULL;\nDROP INDEX i;",
        "-- +goose Down\nDROP TABLE users;\n",
        "create table a (b int);\n-- migrate:down\ndrop table other;\n",
    ],
)
def test_harmless_sql_is_left_alone(text: str) -> None:
    assert sql_operations(text) == []


def test_what_follows_the_way_up_counts_again() -> None:
    text = "-- +goose Down\nDROP TABLE a;\n-- +goose Up\nDROP TABLE b;\n"
    assert _rules(sql_operations(text)) == [(4, "drop-table")]


def test_alembic_operations_of_the_upgrade() -> None:
    text = """\
from alembic import op

def upgrade():
    op.drop_table("users")
    with op.batch_alter_table("a") as batch_op:
        batch_op.drop_column("b")
    op.alter_column("a", "c", nullable=False)
    op.alter_column("a", "c", type_=sa.Integer())
    op.add_column("a", sa.Column("d", sa.Integer(), nullable=False))
    op.add_column("a", sa.Column("e", sa.Integer(), nullable=False, server_default="0"))
    op.execute(sa.text("delete from a"))
    op.create_table("f", sa.Column("g", nullable=False))

def downgrade():
    op.drop_table("f")
"""
    assert _rules(migration_operations(text)) == [
        (4, "drop-table"),
        (6, "drop-column"),
        (7, "not-null"),
        (8, "type-change"),
        (9, "not-null"),
        (11, "delete-all"),
    ]


def test_django_operations() -> None:
    text = """\
class Migration(migrations.Migration):
    operations = [
        migrations.RemoveField(model_name="a", name="b"),
        migrations.DeleteModel("C"),
        migrations.RenameField("a", "b", "c"),
        migrations.AddField("a", "d", models.IntegerField(null=True)),
        migrations.RunSQL("DROP TABLE x", "DROP TABLE y"),
    ]
"""
    assert _rules(migration_operations(text)) == [
        (3, "drop-column"),
        (4, "drop-table"),
        (5, "rename"),
        (7, "drop-table"),
    ]


PRISMA = """\
model User {
  id    Int    @id
  name  String
  age   Int?
  posts Post[]
}
model Post {
  id     Int  @id
  author User @relation(fields: [id], references: [id])
}
enum Mood {
  SAD
  GLAD
}
"""


def test_prisma_schemas_are_compared() -> None:
    after = """\
model User {
  id    BigInt @id
  age   Int
  email String
  seen  DateTime @default(now())
  nick  String? // DROP TABLE
}
enum Mood {
  GLAD
}
"""
    assert _rules(prisma_operations(PRISMA, after)) == [
        (1, "drop-table"),
        (1, "drop-column"),
        (2, "type-change"),
        (3, "not-null"),
        (4, "not-null"),
        (8, "drop-value"),
    ]
    assert prisma_operations(PRISMA, PRISMA + "model New {\n  id Int @id\n}\n") == []


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("shop/migrations/0001_initial.py", True),
        ("alembic/versions/3fa2c1d4e5f6_add.py", True),
        ("db/migrate/20260101_add.rb", True),
        ("prisma/migrations/20260101_add/migration.sql", True),
        ("sql/migration/V2__add.sql", True),
        ("shop/migrations/__init__.py", False),
        ("shop/migrations/README.md", False),
        ("docs/versions/history.py", False),
        ("shop/models.py", False),
    ],
)
def test_migrations_are_known_by_their_places(path: str, *, expected: bool) -> None:
    assert is_migration(path) is expected


FIRST = "shop/migrations/0001_initial.py"


async def _said(folder: Path, before: Tree, after: Tree, **how: dict[str, str]) -> list[tuple[str, int, str]]:
    return places(await said(Schema(), folder, before, after, **how))


async def test_only_new_statements_are_said(tmp_path: Path) -> None:
    before = {"a.sql": "DROP TABLE a;\n"}
    signal = await said(Schema(), tmp_path, before, {"a.sql": "-- x\nDROP TABLE a;\nDROP TABLE b;\n"})
    assert signal is not None
    assert places(signal) == [("a.sql", 3, "drop-table")]
    assert signal.findings[0].level is Level.WARNING
    assert "its rows are lost" in signal.findings[0].message
    assert signal.artifacts[0].path == ARTIFACT


async def test_fixtures_of_tests_are_notes(tmp_path: Path) -> None:
    signal = await said(Schema(), tmp_path, {}, {"tests/a.sql": "DROP TABLE a;\n"})
    assert signal is not None
    assert [item.level for item in signal.findings] == [Level.NOTE]


async def test_an_edited_old_migration_is_said_unless_only_its_layout_changed(tmp_path: Path) -> None:
    before = {FIRST: "x = 1\n", "db/migrate/001_a.sql": "select 1;\n"}
    after = {FIRST: "x = 1  # why\n", "db/migrate/001_a.sql": "select 2;\n"}
    assert await _said(tmp_path, before, after) == [("db/migrate/001_a.sql", 1, "old-migration")]


@pytest.mark.parametrize("after", [{}, {"shop/migrations/0001_first.py": "x = 1\n"}])
async def test_a_removed_or_renamed_migration_is_said(tmp_path: Path, after: Tree) -> None:
    renamed = dict.fromkeys([FIRST], next(iter(after))) if after else {}
    found = await _said(tmp_path, {FIRST: "x = 1\n"}, after, renamed=renamed)
    assert found == [(next(iter(after), FIRST), 1, "old-migration")]


async def test_two_migrations_with_one_number(tmp_path: Path) -> None:
    before = {FIRST: "x = 1\n", "shop/migrations/0002_a.py": "x = 1\n"}
    found = await _said(tmp_path, before, before | {"shop/migrations/0002_b.py": "x = 1\n"})
    assert found == [("shop/migrations/0002_b.py", 1, "same-number")]


ALEMBIC = {
    "alembic/versions/aaaaaaaa_a.py": "revision = 'aaaaaaaa'\ndown_revision = None\n",
    "alembic/versions/bbbbbbbb_b.py": "revision = 'bbbbbbbb'\ndown_revision: str = 'aaaaaaaa'\n",
}
SECOND_HEAD = {"alembic/versions/cccccccc_c.py": "revision = 'cccccccc'\ndown_revision = 'aaaaaaaa'\n"}
MERGE = {
    "alembic/versions/dddddddd_d.py": "revision = 'dddddddd'\ndown_revision = ('bbbbbbbb', 'cccccccc')\n"
}


async def test_two_heads_of_alembic(tmp_path: Path) -> None:
    found = await _said(tmp_path, ALEMBIC, ALEMBIC | SECOND_HEAD)
    assert found == [("alembic/versions/cccccccc_c.py", 1, "two-heads")]


async def test_heads_that_are_merged_are_no_problem(tmp_path: Path) -> None:
    assert await _said(tmp_path, ALEMBIC, ALEMBIC | SECOND_HEAD | MERGE) == []


MODELS = "class A(Model):\n    name = models.CharField()\n"


async def test_models_that_change_without_a_migration(tmp_path: Path) -> None:
    before = {FIRST: "x = 1\n", "shop/models.py": MODELS}
    found = await _said(
        tmp_path, before, before | {"shop/models.py": MODELS + "    age = models.IntegerField()\n"}
    )
    assert found == [("shop/models.py", 3, "no-migration")]


@pytest.mark.parametrize(
    "after",
    [
        {
            "shop/models.py": MODELS + "    age = models.IntegerField()\n",
            "shop/migrations/0002_age.py": "x = 1\n",
        },
        {"shop/models.py": MODELS + "    def f(self): ...\n"},
        {"shop/views.py": "DROP = 'DROP TABLE a;'\n"},
    ],
)
async def test_nothing_is_said_about(tmp_path: Path, after: Tree) -> None:
    before = {FIRST: "x = 1\n", "shop/models.py": MODELS}
    assert await said(Schema(), tmp_path, before, before | after) is None
