"""The execution server starts for an enabled repository, and says why it does not for any other."""

from __future__ import annotations

import datetime as dt
import os
import shutil
import sqlite3
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import pytest

from codevetter_verify.domain.records import ActiveRun, Enablement
from codevetter_verify.errors import NotEnabledError, RevokedError, StorageFailedError
from codevetter_verify.service.starting import permitted_scope
from codevetter_verify.store.glance import glanced_enablement
from codevetter_verify.store.places import FILE_NAME
from codevetter_verify.store.store import Store
from oskit.clock import now
from support.repos import GitRepo
from support.trex import place

if TYPE_CHECKING:
    from pathlib import Path

    from support.trex import Place

pytestmark = pytest.mark.anyio
DEAD_OWNER = "1-gone"


@dataclass
class Opener:
    """Opens the store, and remembers that it had to."""

    home: Path
    opened: list[Store] = field(default_factory=list)

    async def __call__(self) -> Store:
        self.opened.append(await Store.open(self.home))
        return self.opened[-1]


@pytest.fixture
async def here(tmp_path: Path) -> Place:
    return await place(tmp_path)


def permission(here: Place, **changes: object) -> Enablement:
    made = {
        "repo_id": here.scope.repo_id,
        "repo_key": here.scope.key,
        "repo_path": here.scope.path,
        "state": "enabled",
        "changed_at": now(),
        "changed_by": "owner",
        **changes,
    }
    return Enablement(**made)  # type: ignore[arg-type] # a table of fields


async def test_a_glance_is_enough_for_an_enabled_repository_and_sees_what_the_store_sees(here: Place) -> None:
    hosts = ("*.example.dev", "preview.example.com")
    await here.store.enable(permission(here, preview_hosts=hosts, expires_at=now() + dt.timedelta(days=1)))
    opener = Opener(here.store.home)
    scope = await permitted_scope(here.scope.repo_id, home=here.store.home, open_store=opener)
    assert (scope, opener.opened) == (here.scope, [])
    glanced = glanced_enablement(here.store.home, here.scope.repo_id)
    assert glanced == await here.store.enablement(here.scope.repo_id)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"state": "disabled"}, "disabled by owner"),
        ({"expires_at": dt.datetime(2020, 1, 1, tzinfo=dt.UTC)}, "its time ended at 2020-01-01"),
        (
            {  # as after the clock was set back: how much of the time has passed, nobody knows
                "changed_at": dt.datetime(2900, 1, 1, tzinfo=dt.UTC),
                "expires_at": dt.datetime(2900, 1, 2, tzinfo=dt.UTC),
            },
            "before it was given",
        ),
    ],
)
async def test_a_permission_that_has_ended_is_refused(
    here: Place, change: dict[str, object], words: str
) -> None:
    await here.store.enable(permission(here, **change))
    with pytest.raises(RevokedError, match=words):
        await permitted_scope(here.scope.repo_id, home=here.store.home, open_store=Opener(here.store.home))


async def test_an_unknown_id_is_refused_also_where_there_is_no_store_yet(here: Place, tmp_path: Path) -> None:
    for home in (here.store.home, tmp_path / "fresh"):
        with pytest.raises(NotEnabledError):
            await permitted_scope("repo-unknown", home=home, open_store=Opener(home))


async def test_a_repository_that_is_gone_or_another_is_refused(here: Place) -> None:
    await here.store.enable(permission(here))
    shutil.rmtree(here.repo.path)
    with pytest.raises(RevokedError, match="not at"):
        await permitted_scope(here.scope.repo_id, home=here.store.home, open_store=Opener(here.store.home))
    GitRepo.create(here.repo.path).write("other.txt", "another history").commit("other")
    with pytest.raises(RevokedError, match="another repository lies at"):
        await permitted_scope(here.scope.repo_id, home=here.store.home, open_store=Opener(here.store.home))


async def test_a_run_that_a_dead_process_left_is_cleared_away_before_the_server_starts(here: Place) -> None:
    await here.store.enable(permission(here))
    await here.store.claim_run(ActiveRun("run-1", here.scope.key, DEAD_OWNER, now()))
    opener = Opener(here.store.home)
    await permitted_scope(here.scope.repo_id, home=here.store.home, open_store=opener)
    assert len(opener.opened) == 1
    assert await here.store.orphaned_runs() == []


async def test_what_is_unusual_about_the_store_is_left_to_the_store(here: Place) -> None:
    """A newer schema, a damaged file and a folder that others may write: each is refused in the store's words."""
    await here.store.enable(permission(here))
    home, repo_id = here.store.home, here.scope.repo_id
    home.chmod(0o777)
    with pytest.raises(StorageFailedError):
        await permitted_scope(repo_id, home=home, open_store=Opener(home))
    home.chmod(0o700)
    with sqlite3.connect(home / FILE_NAME) as connection:
        connection.execute("PRAGMA user_version = 999")
    connection.close()
    with pytest.raises(StorageFailedError, match="newer version"):
        await permitted_scope(repo_id, home=home, open_store=Opener(home))
    for name in os.listdir(home):  # noqa: PTH208 - the database and its journals
        (home / name).write_bytes(b"no database at all, but long enough to be read as one" * 20)
    with pytest.raises(StorageFailedError, match=FILE_NAME):
        await permitted_scope(repo_id, home=home, open_store=Opener(home))
