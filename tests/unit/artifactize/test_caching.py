from __future__ import annotations

from typing import TYPE_CHECKING

import anyio
import pytest

from artifactize.errors import KeyInUseError, UnknownSelectionError
from artifactize.models.caching import CacheRemoveRequest, CacheShowRequest
from artifactize.models.stored import Claim
from artifactize.service.caching import Caching
from artifactize.service.workspace import Workspace
from artifactize.store import owners, records
from oskit.process import ProcessIdentity

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

KEY = "ab" * 32
OTHER = "ab" * 31 + "cd"


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[Workspace]:
    (tmp_path / "project").mkdir()

    def unexpected(_: Workspace) -> ProcessIdentity:
        raise AssertionError("looking starts no worker")

    workspace = Workspace(tmp_path / "project", tmp_path / "state", {}, unexpected)
    yield workspace
    workspace.close()


def publish(workspace: Workspace, key: str, verdict: str) -> None:
    with workspace.store().write() as connection:
        records.publish_all(
            connection,
            [{
                "key": key, "verdict": verdict, "eval": "guide/a", "artifact": "guide", "definition": "d",
                "fingerprints": {"guide": "f"}, "exit_code": 0, "message": None, "run_id": "r",
                "request_id": "q", "recorded_at": "2026-11-30T00:00:00.000Z",
            }],
        )  # fmt: skip


def show(workspace: Workspace, key: str) -> str | None:
    found = anyio.run(Caching(lambda: workspace).cache_show, CacheShowRequest(key=key)).root
    return None if found is None else found.verdict


def verdicts(workspace: Workspace, key: str) -> list[str]:
    found = anyio.run(Caching(lambda: workspace).cache_history, CacheShowRequest(key=key))
    return [each.verdict for each in found.root]


def remove(workspace: Workspace, key: str) -> bool:
    return anyio.run(Caching(lambda: workspace).cache_remove, CacheRemoveRequest(key=key)).removed


def test_looking_and_removing_without_a_state_makes_none(workspace: Workspace) -> None:
    assert show(workspace, KEY) is None
    assert verdicts(workspace, KEY) == []
    assert not remove(workspace, KEY)
    assert not workspace.state_dir.exists()


def test_a_removed_verdict_leaves_a_tombstone_that_no_older_one_passes(workspace: Workspace) -> None:
    publish(workspace, KEY, "GREEN")
    publish(workspace, KEY, "RED")
    assert show(workspace, KEY[:12]) == "RED"

    assert remove(workspace, KEY[:12])

    assert show(workspace, KEY) is None
    assert verdicts(workspace, KEY) == ["REMOVED", "RED", "GREEN"]
    assert not remove(workspace, KEY)
    publish(workspace, KEY, "GREEN")
    assert show(workspace, KEY) == "GREEN"


def test_digits_that_begin_several_keys_are_refused_with_these(workspace: Workspace) -> None:
    publish(workspace, KEY, "GREEN")
    publish(workspace, OTHER, "GREEN")
    with pytest.raises(UnknownSelectionError, match="2 keys or more begin with abababab"):
        remove(workspace, KEY[:8])
    assert show(workspace, OTHER) == "GREEN"


def test_a_key_that_is_being_executed_keeps_its_verdict(workspace: Workspace) -> None:
    publish(workspace, KEY, "GREEN")
    owner = str(ProcessIdentity.current())
    with workspace.store().write() as connection:
        claim = Claim(key=KEY, owner=owner, run_id="run", request_id="q", since="now")
        owners.put_claims(connection, [claim])
    with pytest.raises(KeyInUseError, match="Run run is executing the key"):
        remove(workspace, KEY)
    assert show(workspace, KEY) == "GREEN"
