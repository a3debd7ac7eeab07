"""What holds where the system is not Linux, shown by taking Linux's means away."""

from __future__ import annotations

import os
import signal
from typing import TYPE_CHECKING

import anyio
import pytest

from oskit.process import ProcessIdentity, _lineage, _table, kill_tree, run, supervise
from support.processes import children

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.anyio
SH = "/bin/sh"


@pytest.fixture(autouse=True)
def _poorer_system(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(_table, "HAS_PROC", False)
    monkeypatch.setattr(_table, "_PROC", tmp_path / "proc")
    monkeypatch.setattr(_lineage, "adopt_orphans", lambda: False)
    monkeypatch.delattr(os, "pidfd_open")
    monkeypatch.delattr(os, "waitid")


async def test_a_program_gives_its_status_and_output() -> None:
    done = await run([SH, "-c", "echo out; sleep 0.1; exit 3"], deadline_s=20)
    assert (done.returncode, done.stdout, done.timed_out) == (3, b"out\n", False)


async def test_what_it_leaves_in_its_group_is_ended() -> None:
    with anyio.fail_after(20):
        done = await run([SH, "-c", "sleep 300 & echo $!"], deadline_s=None)
    assert done.ok
    assert ProcessIdentity.of(int(done.stdout)) is None


async def test_at_the_deadline_descendants_in_other_sessions_are_ended_too() -> None:
    done = await run([SH, "-c", f"setsid {SH} -c 'echo $$; exec sleep 300' & wait"], deadline_s=1)
    assert done.timed_out
    assert ProcessIdentity.of(int(done.stdout)) is None


async def test_a_served_program_is_ended_and_collected() -> None:
    async with supervise([SH, "-c", "trap '' TERM; echo up; sleep 300"], grace_s=0.1) as server:
        assert server.identity.is_alive()
        assert kill_tree(server.identity, grace_s=0.1) >= 1
        await server.wait()
    assert server.returncode == -signal.SIGKILL
    assert server.identity.pid not in children()
