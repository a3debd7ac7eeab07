"""Of each repository the newest accesses are kept, and nothing but metadata."""

from __future__ import annotations

import dataclasses
import datetime as dt
import sqlite3
from typing import TYPE_CHECKING

import pytest

from codevetter_verify.domain.records import AuditEntry
from codevetter_verify.store import audit
from codevetter_verify.store.places import FILE_NAME
from codevetter_verify.store.store import Store

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.anyio
NOW = dt.datetime(2026, 11, 30, 12, tzinfo=dt.UTC)


@pytest.fixture
async def store(tmp_path: Path) -> Store:
    return await Store.open(tmp_path / "home")


def entry(repo_key: str = "k1", run_id: str | None = None) -> AuditEntry:
    return AuditEntry(repo_key, NOW, "mcp", "verify_change_preview", "answered", 5, 10, 20, "failed", run_id)


async def test_an_access_comes_back_as_it_was_kept_newest_first(store: Store) -> None:
    for run_id in ("a", "b"):
        await store.audit(entry(run_id=run_id))
    await store.audit(entry("k2"))
    assert await store.audited(repo_key="k1", limit=9) == [entry(run_id="b"), entry(run_id="a")]
    assert len(await store.audited(repo_key=None, limit=9)) == 3


async def test_the_oldest_of_the_same_repository_make_way(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert audit.MAX_ROWS == 1000
    monkeypatch.setattr(audit, "MAX_ROWS", 3)
    await store.audit(entry("k2", "other"))
    for number in range(5):
        await store.audit(entry(run_id=str(number)))
    assert [row.run_id for row in await store.audited(repo_key="k1", limit=9)] == ["4", "3", "2"]
    assert [row.run_id for row in await store.audited(repo_key="k2", limit=9)] == ["other"]


async def test_refused_calls_push_out_no_entry_of_a_run(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Otherwise an agent could wash away what it did, by asking nonsense a thousand times."""
    assert audit.MAX_WITHOUT_RUN < audit.MAX_ROWS
    monkeypatch.setattr(audit, "MAX_WITHOUT_RUN", 2)
    monkeypatch.setattr(audit, "MAX_ROWS", 4)
    await store.audit(entry(run_id="a-run"))
    for _ in range(6):
        await store.audit(entry())
    assert [row.run_id for row in await store.audited(repo_key="k1", limit=9)] == [None, None, "a-run"]


async def test_forgetting_is_for_one_repository_or_all(store: Store) -> None:
    for key in ("k1", "k1", "k2"):
        await store.audit(entry(key))
    assert await store.clear_audit(repo_key="k1") == 2
    assert await store.clear_audit(repo_key=None) == 1
    assert await store.audited(repo_key=None, limit=9) == []


async def test_the_table_has_no_column_for_what_was_asked_or_seen(store: Store) -> None:
    with sqlite3.connect(store.home / FILE_NAME) as connection:
        columns = {row[1] for row in connection.execute("PRAGMA table_info(audit)")}
    connection.close()
    assert columns == {"id", *(field.name for field in dataclasses.fields(AuditEntry))}
    assert not columns & {"source", "preview", "preview_url", "url", "headers", "prompt", "text"}
