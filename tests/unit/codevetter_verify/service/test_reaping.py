"""What a killed process left is ended by whoever comes next."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

import pytest

from codevetter_verify.domain.records import ActiveRun
from codevetter_verify.service.reaping import reap
from codevetter_verify.store.store import Store
from oskit.clock import now
from oskit.process import ProcessIdentity

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pytestmark = pytest.mark.anyio
DEAD = "999999@never:1"


@pytest.fixture
def browser() -> Iterator[subprocess.Popen[bytes]]:
    """A process in a session of its own, as a browser is."""
    with subprocess.Popen(["/bin/sleep", "300"], start_new_session=True) as process:
        yield process
        process.kill()


async def test_the_browser_of_a_dead_owner_is_ended_and_its_claim_freed(
    tmp_path: Path, browser: subprocess.Popen[bytes]
) -> None:
    store = await Store.open(tmp_path / "home")
    identity = ProcessIdentity.of(browser.pid)
    await store.claim_run(ActiveRun("a", "k", DEAD, now(), str(identity)))
    await reap(store)
    assert browser.wait(10) != 0
    assert await store.orphaned_runs() == []


async def test_a_run_whose_owner_lives_is_left_alone(
    tmp_path: Path, browser: subprocess.Popen[bytes]
) -> None:
    store = await Store.open(tmp_path / "home")
    run = ActiveRun("a", "k", str(ProcessIdentity.current()), now(), str(ProcessIdentity.of(browser.pid)))
    await store.claim_run(run)
    await reap(store)
    assert browser.poll() is None


async def test_an_identity_that_we_did_not_write_is_nobodys(tmp_path: Path) -> None:
    store = await Store.open(tmp_path / "home")
    await store.claim_run(ActiveRun("a", "k", DEAD, now(), "1; rm -rf /"))
    await reap(store)
    assert await store.orphaned_runs() == []
