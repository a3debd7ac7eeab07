from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING, Any

from artifactize.store import records
from artifactize.store.database import Store
from artifactize.store.evicting import evict

if TYPE_CHECKING:
    from pathlib import Path


def record(key: str, verdict: str, request: int) -> dict[str, Any]:
    return {
        "key": key, "verdict": verdict, "eval": "a/e", "artifact": "a", "definition": "d", "fingerprints": {},
        "exit_code": 0, "message": None, "run_id": "r", "request_id": f"{request:04}",
        "recorded_at": "2026-01-01T00:00:00.000Z",
    }  # fmt: skip


def test_within_its_bound_nothing_is_forgotten(tmp_path: Path) -> None:
    with closing(Store.open(tmp_path / "state")) as store, store.write() as connection:
        records.publish_all(connection, [record(f"k{at}", "GREEN", at) for at in range(10)])

        assert evict(connection, most=10) == 0
        assert len(records.listed(connection, limit=99)) == 10


def test_beyond_it_the_keys_used_longest_ago_go_with_their_whole_history(tmp_path: Path) -> None:
    with closing(Store.open(tmp_path / "state")) as store, store.write() as connection:
        rows = [record(f"k{at:02}", "GREEN", at) for at in range(20)]
        rows += [record("k00", "RED", 30), record("k01", "GREEN", 0), record("k02", "REMOVED", 2)]
        records.publish_all(connection, rows)

        forgotten = evict(connection, most=20)
        left = {each.key: each.verdict for each in records.listed(connection, limit=99)}

    assert forgotten == 3
    assert left == {"k00": "RED"} | {f"k{at:02}": "GREEN" for at in range(4, 20)}
