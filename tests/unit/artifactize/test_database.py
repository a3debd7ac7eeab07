from __future__ import annotations

import os
import sqlite3
import stat
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from typing import TYPE_CHECKING, Any

import pytest
import sqlalchemy as sa
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from artifactize.errors import StateCorruptError, StateError, StateNewerError
from artifactize.store import owners, records
from artifactize.store.database import FILE, Store
from artifactize.store.migrating import migrations

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    opened = Store.open(tmp_path / "state")
    yield opened
    opened.close()


def record(
    key: str, verdict: str, *, at: str = "2026-01-01T00:00:00.000Z", eval_id: str = "a/e"
) -> dict[str, Any]:
    return {
        "key": key, "verdict": verdict, "eval": eval_id, "artifact": "a", "definition": "d", "fingerprints": {"a": "1"},
        "exit_code": 0, "message": None, "run_id": "r", "request_id": "q", "recorded_at": at,
    }  # fmt: skip


def test_opening_makes_a_private_database_and_opening_again_keeps_it(tmp_path: Path) -> None:
    first = Store.open(tmp_path / "state")
    with first.write() as connection:
        records.publish_all(connection, [record("k", "GREEN")])
    first.close()

    again = Store.open(tmp_path / "state")
    with again.read() as connection:
        assert records.current(connection, ["k"])["k"].verdict == "GREEN"
    again.close()

    assert stat.S_IMODE((tmp_path / "state").stat().st_mode) == 0o700
    assert stat.S_IMODE((tmp_path / "state" / FILE).stat().st_mode) == 0o600


def test_looking_for_a_state_makes_none(tmp_path: Path) -> None:
    assert Store.existing(tmp_path / "state") is None
    assert not (tmp_path / "state").exists()


@pytest.mark.parametrize("opening", [Store.open, Store.existing])
def test_a_newer_state_is_refused_and_left_alone(tmp_path: Path, opening: Any) -> None:
    Store.open(tmp_path).close()
    with sqlite3.connect(tmp_path / FILE) as connection:
        connection.execute("INSERT INTO schema_version VALUES (99)")
    connection.close()

    with pytest.raises(StateNewerError, match=f"schema 99; this version knows {migrations()[-1][0]}"):
        opening(tmp_path)


@pytest.mark.parametrize("opening", [Store.open, Store.existing])
def test_a_damaged_state_is_named_and_left_alone(tmp_path: Path, opening: Any) -> None:
    tmp_path.chmod(0o700)
    (tmp_path / FILE).write_bytes(b"this is no database, only text " * 300)
    before = (tmp_path / FILE).read_bytes()

    with pytest.raises(StateCorruptError, match="is damaged"):
        opening(tmp_path)

    assert (tmp_path / FILE).read_bytes() == before


def test_a_database_of_somebody_else_is_not_taken_for_a_state(tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / FILE) as connection:
        connection.execute("CREATE TABLE theirs (x)")
    connection.close()

    with pytest.raises(StateCorruptError, match="no schema version"):
        Store.existing(tmp_path)


def test_a_disk_that_is_full_at_first_use_is_named_and_leaves_no_damaged_state(tmp_path: Path) -> None:
    """SQLite says the same when its page limit is reached; the file is there by then, without a table."""

    def allow_little(connection: sqlite3.Connection, _record: object) -> None:
        connection.execute("PRAGMA max_page_count = 3")

    sa.event.listen(sa.Engine, "connect", allow_little)
    try:
        with pytest.raises(StateError, match=r"cannot write .*disk is full") as failure:
            Store.open(tmp_path / "state")
    finally:
        sa.event.remove(sa.Engine, "connect", allow_little)

    assert not isinstance(failure.value, StateCorruptError)
    assert "free some space" in (failure.value.hint or "")
    assert (tmp_path / "state" / FILE).exists()
    assert Store.existing(tmp_path / "state") is None
    with closing(Store.open(tmp_path / "state")) as store, store.write() as connection:
        records.publish_all(connection, [record("k", "GREEN")])


def test_an_io_error_where_hardly_any_room_is_left_is_a_full_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """SQLite tells of its shared memory file, which did not fit, as a disk I/O error."""
    store = Store.open(tmp_path / "state")
    real = os.statvfs
    found = real(tmp_path)
    nearly_full = os.statvfs_result((*found[:4], 3, *found[5:]))
    monkeypatch.setattr(os, "statvfs", lambda _path: nearly_full)

    def fail() -> None:
        with store.read():
            raise sqlite3.OperationalError("disk I/O error")

    with closing(store), pytest.raises(StateError, match=r"cannot write .*I/O error"):
        fail()


def test_a_state_of_an_older_version_is_brought_up_when_it_is_looked_at(tmp_path: Path) -> None:
    tmp_path.chmod(0o700)
    with closing(sqlite3.connect(tmp_path / FILE)) as connection:
        connection.executescript(migrations()[0][1])
        connection.execute("CREATE TABLE schema_version (version INTEGER NOT NULL PRIMARY KEY) STRICT")
        connection.execute("INSERT INTO schema_version VALUES (1)")
        connection.execute(
            "INSERT INTO records VALUES (1, 'k', 'GREEN', 'a/e', 'a', 'd', '{}', 0, NULL, 'r', 'q', 'then')"
        )
        connection.commit()

    opened = Store.existing(tmp_path)

    assert opened is not None
    with closing(opened), opened.read() as connection_:
        assert records.current(connection_, ["k"])["k"].verdict == "GREEN"
        assert connection_.exec_driver_sql("SELECT modes FROM runs").all() == []


def test_a_state_where_others_may_write_is_refused(tmp_path: Path) -> None:
    (tmp_path / "state").mkdir()
    (tmp_path / "state").chmod(0o777)

    with pytest.raises(StateError, match="other users may write"):
        Store.open(tmp_path / "state")


def test_a_failed_transaction_leaves_nothing(store: Store) -> None:
    def fail_later() -> None:
        with store.write() as connection:
            records.publish_all(connection, [record("k", "GREEN")])
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail_later()

    with store.read() as connection:
        assert records.current(connection, ["k"]) == {}


def test_the_file_itself_refuses_unknown_verdicts(store: Store) -> None:
    with pytest.raises(StateError, match="verdict_known"), store.write() as connection:
        records.publish_all(connection, [record("k", "MAYBE")])


def test_twenty_writers_at_once_all_succeed(tmp_path: Path) -> None:
    Store.open(tmp_path / "state").close()

    def write(number: int) -> None:
        store = Store.open(tmp_path / "state")
        for _ in range(5):
            with store.write() as connection:
                records.publish_all(connection, [record(f"k{number}", "GREEN")])
        store.close()

    with ThreadPoolExecutor(20) as pool:
        list(pool.map(write, range(20)))

    with sqlite3.connect(tmp_path / "state" / FILE) as connection:
        assert connection.execute("SELECT count(*), max(sequence) FROM records").fetchone() == (100, 100)
    connection.close()


events = st.lists(
    st.tuples(st.sampled_from("ab"), st.sampled_from(["GREEN", "RED", "REMOVED"]), st.integers(0, 9)),
    max_size=12,
)


@settings(deadline=None, max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(events)
def test_the_last_written_record_decides_whatever_the_clock_says(
    tmp_path_factory: pytest.TempPathFactory, written: list[tuple[str, str, int]]
) -> None:
    store = Store.open(tmp_path_factory.mktemp("state"))
    newest: dict[str, str] = {}
    for key, verdict, clock in written:
        with store.write() as connection:
            records.publish_all(connection, [record(key, verdict, at=f"200{clock}-01-01T00:00:00.000Z")])
        newest[key] = verdict
    with store.read() as connection:
        found = {key: each.verdict for key, each in records.current(connection, ["a", "b", "c"]).items()}
        listed = {each.key: each.verdict for each in records.listed(connection, limit=10)}
    store.close()

    assert found == listed == {key: verdict for key, verdict in newest.items() if verdict != "REMOVED"}


def test_a_sequence_number_never_comes_back(store: Store) -> None:
    with store.write() as connection:
        records.publish_all(connection, [record("k", "GREEN")])
        first = records.current(connection, ["k"])["k"]
        connection.execute(sa.text("DELETE FROM records"))
        records.publish_all(connection, [record("k", "GREEN")])
        second = records.current(connection, ["k"])["k"]

    assert second.sequence > first.sequence


def test_more_keys_than_one_query_takes_are_found(store: Store) -> None:
    keys = [f"k{number}" for number in range(1200)]
    with store.write() as connection:
        for key in keys:
            records.publish_all(connection, [record(key, "GREEN")])

    with store.read() as connection:
        assert sorted(records.current(connection, keys)) == sorted(keys)


def test_the_newest_verdict_of_an_eval_is_found_under_any_key(store: Store) -> None:
    with store.write() as connection:
        records.publish_all(connection, [record("old", "GREEN")])
        records.publish_all(connection, [record("new", "RED")])
        records.publish_all(connection, [record("other", "GREEN", eval_id="b/e")])

    with store.read() as connection:
        found = records.newest_of_evals(connection, ["a/e", "c/e"])

    assert {eval_id: each.key for eval_id, each in found.items()} == {"a/e": "new"}


def test_a_heartbeat_tells_a_worker_that_it_was_replaced(store: Store) -> None:
    from artifactize.models.stored import Worker

    with store.write() as connection:
        owners.put_worker(connection, Worker(repository="/r", owner="1@a", beat=1.0, since="now"))
        assert owners.beat(connection, "/r", "1@a", 2.0)
        owners.put_worker(connection, Worker(repository="/r", owner="2@b", beat=3.0, since="now"))
        assert not owners.beat(connection, "/r", "1@a", 4.0)
        owners.drop_worker(connection, "/r", "1@a")
        found = owners.worker(connection, "/r")

    assert found is not None
    assert (found.owner, found.beat) == ("2@b", 3.0)


def test_a_state_that_is_opened_twice_keeps_its_locks(store: Store, tmp_path: Path) -> None:
    """POSIX drops all locks of a process on a file when any descriptor of it is closed: others then tidy up."""
    with store.write() as connection:
        records.publish_all(connection, [record("k", "GREEN")])
    Store.open(tmp_path / "state").close()
    other = (
        "import sqlite3, sys; c = sqlite3.connect(sys.argv[1]); "
        "c.execute('SELECT * FROM runs').fetchall(); c.close()"
    )
    subprocess.run([sys.executable, "-c", other, str(store.path)], check=True, timeout=60)
    assert store.path.with_name(f"{FILE}-wal").exists()
