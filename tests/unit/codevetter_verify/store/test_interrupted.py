"""A run whose process was killed has a receipt that says so, made once, by whoever comes next."""

from __future__ import annotations

import datetime as dt
import sqlite3
from contextlib import closing
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from codevetter_verify.domain.records import ActiveRun, RouteNote
from codevetter_verify.errors import RunInProgressError
from codevetter_verify.service.reaping import reap
from codevetter_verify.store.places import FILE_NAME, migrations
from codevetter_verify.store.store import Store
from oskit.process import ProcessIdentity

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.anyio
NOW = dt.datetime(2026, 11, 30, 12, tzinfo=dt.UTC)
DEAD = "999999@never:1"
PREVIEW = "https://preview.example/?bypass=***"


@pytest.fixture
async def store(tmp_path: Path) -> Store:
    return await Store.open(tmp_path / "home")


def run(run_id: str, owner: str = DEAD, preview: str = PREVIEW) -> ActiveRun:
    return ActiveRun(
        run_id, "k1", owner, NOW, None, "/r", source_kind="range", source_input="a..b", preview=preview
    )


async def test_the_receipt_says_how_far_the_run_came_and_trusts_nothing(store: Store) -> None:
    await store.claim_run(run("trex-preview-1"))
    later = NOW + dt.timedelta(seconds=3)
    await store.note_stage("trex-preview-1", "visiting the routes", at=later)
    await reap(store)
    receipt = await store.receipt("trex-preview-1")
    assert (receipt.verdict, receipt.causes, receipt.retryable) == ("no_confidence", ("interrupted",), True)
    assert "visiting the routes" in receipt.summary
    assert (receipt.duration_ms, receipt.ran_at) == (3000, "2026-11-30T12:00:00.000Z")
    assert (receipt.source.input, receipt.preview.requested_url) == ("a..b", PREVIEW)
    assert receipt.journeys == ()


ROUTES = (
    RouteNote("/", "the entry page", "passed"),
    RouteNote("/about", "changed", "failed"),
    RouteNote("/prices", "changed"),
)


async def test_the_receipt_names_the_routes_that_were_judged_and_those_still_open(store: Store) -> None:
    await store.claim_run(run("trex-preview-1"))
    await store.note_stage("trex-preview-1", "visiting the routes", at=NOW)
    await store.note_routes("trex-preview-1", ROUTES)
    await reap(store)
    receipt = await store.receipt("trex-preview-1")
    assert [route.route for route in receipt.routes] == ["/", "/about", "/prices"]
    assert "judged at first sight before it ended: / passed, /about failed" in receipt.limitations
    assert "not judged yet: /prices" in receipt.limitations
    assert receipt.summary.startswith("/about failed when last seen; no confidence: ")
    assert (receipt.verdict, receipt.journeys) == ("no_confidence", ())


async def test_a_run_that_was_killed_before_it_had_planned_says_so(store: Store) -> None:
    await store.claim_run(run("trex-preview-1"))
    await reap(store)
    assert "no route was planned yet" in (await store.receipt("trex-preview-1")).limitations


async def test_a_clock_that_was_set_back_during_the_run_leaves_a_receipt_too(store: Store) -> None:
    await store.claim_run(run("trex-preview-1"))
    await store.note_stage("trex-preview-1", "visiting the routes", at=NOW - dt.timedelta(hours=1))
    await reap(store)
    assert (await store.receipt("trex-preview-1")).duration_ms == 0


async def test_the_access_that_a_killed_process_could_not_note_is_noted_once(store: Store) -> None:
    await store.claim_run(replace(run("trex-preview-1"), face="mcp"))
    (left,) = await store.orphaned_runs()
    await store.bury_run(left)
    await store.bury_run(left)
    (access,) = await store.audited(repo_key="k1", limit=9)
    assert (access.status, access.face, access.verdict) == ("interrupted", "mcp", "no_confidence")
    assert (access.run_id, access.at) == ("trex-preview-1", NOW)
    assert access.result_bytes > 0


async def test_two_that_find_it_make_one_receipt(store: Store) -> None:
    await store.claim_run(run("trex-preview-1"))
    (left,) = await store.orphaned_runs()
    await store.bury_run(left)
    await store.bury_run(left)
    assert [row.run_id for row in await store.receipts()] == ["trex-preview-1"]


async def test_the_next_run_makes_it_and_learns_what_may_still_live(store: Store) -> None:
    await store.claim_run(run("trex-preview-1"))
    await store.note_browser("trex-preview-1", "4321@x")
    dead = await store.claim_run(run("trex-preview-2", str(ProcessIdentity.current())))
    assert [(left.run_id, left.browser) for left in dead] == [("trex-preview-1", "4321@x")]
    assert (await store.receipt("trex-preview-1")).causes == ("interrupted",)


async def test_the_same_request_is_told_that_its_receipt_is_on_its_way(store: Store) -> None:
    me = str(ProcessIdentity.current())
    await store.claim_run(run("trex-preview-1", me))
    with pytest.raises(RunInProgressError, match="for the same source and preview") as caught:
        await store.claim_run(run("trex-preview-2", me))
    assert (caught.value.details["same_request"], caught.value.details["active_run_id"]) == (
        True,
        "trex-preview-1",
    )
    assert "trex-preview-1" in (caught.value.hint or "")
    with pytest.raises(RunInProgressError) as other:
        await store.claim_run(run("trex-preview-3", me, "https://other.example/"))
    assert other.value.details["same_request"] is False


async def test_a_run_that_an_older_version_left_is_cleared_away(tmp_path: Path) -> None:
    """Its row says nothing of what it was about: the database of version 1 is migrated, and the row goes."""
    home = tmp_path / "home"
    home.mkdir(mode=0o700)
    with closing(sqlite3.connect(home / FILE_NAME)) as connection:
        connection.executescript(migrations()[0])
        connection.execute("PRAGMA user_version = 1")
        row = ("old", "k1", DEAD, "2026-11-30T12:00:00.000000+00:00")
        connection.execute("INSERT INTO active_runs VALUES (?, ?, ?, ?, NULL)", row)
        connection.commit()
    (home / FILE_NAME).chmod(0o600)
    store = await Store.open(home)
    await reap(store)
    assert (await store.orphaned_runs(), await store.receipts()) == ([], [])
