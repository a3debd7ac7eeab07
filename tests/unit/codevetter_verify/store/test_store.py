"""What is kept stays what it was, for one process and for many."""

from __future__ import annotations

import datetime as dt
import sqlite3
import stat
import subprocess
import sys
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from codevetter_verify.domain.findings import Findings
from codevetter_verify.domain.order import accept
from codevetter_verify.domain.receipt import RunFacts, assemble
from codevetter_verify.domain.records import ActiveRun, Enablement
from codevetter_verify.errors import ReceiptNotFoundError, RunInProgressError, StorageFailedError
from codevetter_verify.store.places import FILE_NAME
from codevetter_verify.store.store import Store
from mcpkit.canonical import canonical_json, sha256_hex
from oskit.process import ProcessIdentity
from support.repos import GitRepo
from support.trex import request_for

if TYPE_CHECKING:
    from pathlib import Path

    from codevetter_verify.models import TrexPreviewReceipt

pytestmark = pytest.mark.anyio
NOW = dt.datetime(2026, 11, 30, 12, tzinfo=dt.UTC)
DEAD = "999999@never:1"


@pytest.fixture
async def store(tmp_path: Path) -> Store:
    return await Store.open(tmp_path / "home")


def receipt(run_id: str = "trex-preview-1") -> TrexPreviewReceipt:
    facts = RunFacts(run_id, "/r", "2026-11-30T00:00:00.000Z", 1, "0.1.0", "Linux")
    return assemble(Findings(accept(request_for("https://preview.example/"))), facts)


def run(run_id: str, repo_key: str = "k1", owner: str | None = None) -> ActiveRun:
    return ActiveRun(run_id, repo_key, owner or str(ProcessIdentity.current()), NOW)


def tamper(store: Store, sql: str, *values: object) -> None:
    with sqlite3.connect(store.home / FILE_NAME) as connection:
        connection.execute(sql, values)
    connection.close()


async def test_a_receipt_comes_back_equal_with_the_digest_of_its_canonical_json(store: Store) -> None:
    digest = await store.finish_run(receipt(), "k1")
    assert await store.receipt("trex-preview-1") == receipt()
    assert digest == sha256_hex(canonical_json(receipt()))


async def test_an_unknown_run_is_not_found(store: Store) -> None:
    with pytest.raises(ReceiptNotFoundError):
        await store.receipt("trex-preview-0")


async def test_a_changed_document_is_never_returned_and_hides_no_other(store: Store) -> None:
    for run_id in ("trex-preview-1", "trex-preview-2"):
        await store.finish_run(receipt(run_id), "k1")
    forged = canonical_json(receipt()).replace(b"no_confidence", b"passed_with_limits")
    tamper(store, "UPDATE receipts SET document = ? WHERE run_id = 'trex-preview-1'", forged)
    with pytest.raises(StorageFailedError, match="digest"):
        await store.receipt("trex-preview-1")
    listed = await store.receipts()
    assert [(row.run_id, row.problem is None) for row in listed] == [
        ("trex-preview-2", True),
        ("trex-preview-1", False),
    ]


async def test_a_forged_document_with_its_own_digest_must_still_match_the_index(store: Store) -> None:
    await store.finish_run(receipt(), "k1")
    tamper(store, "UPDATE receipts SET verdict = 'passed_with_limits'")
    with pytest.raises(StorageFailedError, match="index"):
        await store.receipt("trex-preview-1")


async def test_receipts_are_listed_newest_first_and_by_repository(store: Store) -> None:
    for number in range(4):
        await store.finish_run(receipt(f"trex-preview-{number}"), f"k{number % 2}")
    assert [row.run_id[-1] for row in await store.receipts(limit=3)] == ["3", "2", "1"]
    assert [row.run_id[-1] for row in await store.receipts(repo_key="k0")] == ["2", "0"]


async def test_a_repository_has_one_run_and_the_machine_two(store: Store) -> None:
    await store.claim_run(run("a", "k1"))
    with pytest.raises(RunInProgressError, match="this repository") as caught:
        await store.claim_run(run("b", "k1"))
    assert caught.value.details["active_run_id"] == "a"
    assert 1000 <= caught.value.details["retry_after_ms"] <= 15_000  # type: ignore[operator]
    await store.claim_run(run("c", "k2"))
    with pytest.raises(RunInProgressError, match="this machine"):
        await store.claim_run(run("d", "k3"))
    await store.release_run("a")
    await store.claim_run(run("d", "k3"))


async def test_a_dead_owner_makes_way(store: Store) -> None:
    await store.claim_run(run("a", "k1", owner=DEAD))
    await store.note_browser("a", "4321@x")
    assert [(left.run_id, left.browser) for left in await store.orphaned_runs()] == [("a", "4321@x")]
    await store.claim_run(run("b", "k1"))
    assert await store.orphaned_runs() == []


async def test_a_process_id_that_was_given_away_is_a_dead_owner(store: Store) -> None:
    """The process with the number lives, and is another one than the run's."""
    earlier = replace(ProcessIdentity.current(), start_time="an earlier moment")
    await store.claim_run(run("a", "k1", owner=str(earlier)))
    await store.claim_run(run("b", "k1"))
    assert await store.orphaned_runs() == []


async def test_the_receipt_and_the_end_of_the_run_are_one_step(store: Store) -> None:
    await store.claim_run(run("trex-preview-1"))
    await store.finish_run(receipt(), "k1")
    await store.claim_run(run("trex-preview-2"))
    with pytest.raises(StorageFailedError):
        await store.finish_run(receipt(), "k1")  # the same id twice
    with pytest.raises(RunInProgressError):
        await store.claim_run(run("trex-preview-3"))


async def test_an_enablement_is_replaced_disabled_and_found(store: Store) -> None:
    first = Enablement(
        "repo-k", "k", "/r", "enabled", NOW, "ada", NOW + dt.timedelta(hours=1), ("*.a.example",)
    )
    await store.enable(first)
    assert await store.enablement("repo-k") == first
    assert await store.disable("repo-k", at=NOW, by="bob")
    found = await store.enablement("repo-k")
    assert found is not None
    assert found.ended(NOW) == "disabled by bob at 2026-11-30 12:00 UTC"
    assert not await store.disable("repo-x", at=NOW, by="bob")
    await store.enable(first)
    assert await store.enablements() == [first]


def test_an_enablement_ends_at_its_time() -> None:
    given = Enablement("repo-k", "k", "/r", "enabled", NOW, "ada", NOW + dt.timedelta(hours=1))
    assert given.ended(NOW) is None
    assert given.ended(NOW + dt.timedelta(hours=1)) is not None


async def test_an_artifact_is_private_and_named_by_its_digest(store: Store) -> None:
    kept = await store.save_artifact("trex-preview-1", "1.jpg", b"picture", kind="screenshot")
    path = store.home / kept.path
    assert (path.read_bytes(), kept.sha256, kept.bytes) == (b"picture", sha256_hex(b"picture"), 7)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


async def test_everything_is_private(store: Store) -> None:
    await store.finish_run(receipt(), "k1")
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in (store.home, *store.home.iterdir())}
    assert modes["home"] == 0o700
    assert set(modes.values()) == {0o700, 0o600}


async def test_a_place_inside_a_work_tree_is_refused(tmp_path: Path) -> None:
    repo = GitRepo.create(tmp_path / "repo")
    with pytest.raises(StorageFailedError, match="never written"):
        await Store.open(repo.path / "state")


async def test_a_database_of_a_newer_version_is_left_alone(store: Store) -> None:
    tamper(store, "PRAGMA user_version = 99")
    with pytest.raises(StorageFailedError, match="newer version"):
        await Store.open(store.home)


async def test_a_file_that_is_no_database_is_named(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir(mode=0o700)
    (home / FILE_NAME).write_bytes(b"not a database, but long enough to be looked at" * 40)
    with pytest.raises(StorageFailedError, match=FILE_NAME):
        await Store.open(home)


WRITER = """
import sys, anyio
from pathlib import Path
from codevetter_verify.store.store import Store
from codevetter_verify.errors import RunInProgressError
from codevetter_verify.domain.records import ActiveRun
from oskit.clock import now
from oskit.process import ProcessIdentity
async def main():
    store = await Store.open(Path(sys.argv[1]))
    for number in range(3):
        run = ActiveRun(f"{sys.argv[2]}-{number}", "k", str(ProcessIdentity.current()), now())
        try:
            await store.claim_run(run)
        except RunInProgressError:
            continue
        await store.release_run(run.run_id)
anyio.run(main)
"""


def test_many_processes_open_and_write_at_once(tmp_path: Path) -> None:
    """None is told that the database is locked, and the first ones race to create it."""
    command = [sys.executable, "-c", WRITER, str(tmp_path / "home")]
    started = [subprocess.Popen([*command, str(n)], stderr=subprocess.PIPE, text=True) for n in range(5)]
    ended = [(process.communicate(timeout=90)[1], process.returncode) for process in started]
    assert ended == [("", 0)] * 5
