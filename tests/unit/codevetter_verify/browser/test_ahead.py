"""A driver that was started ahead: taken by a visit, or ended when nobody wants it."""

from __future__ import annotations

import tempfile
from typing import TYPE_CHECKING

import anyio
import pytest
from anyio import Path as AsyncPath

from codevetter_verify.browser import ahead
from codevetter_verify.browser.ahead import driver_ahead
from codevetter_verify.errors import BrowserFailedError

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.anyio


class Driver:
    """Stands in for Playwright's: remembers that it was ended."""

    stopped = False

    async def stop(self) -> None:
        self.stopped = True


@pytest.fixture
def driver(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Driver:
    made = Driver()

    async def start(_folder: Path) -> Driver:
        await anyio.lowlevel.checkpoint()
        return made

    monkeypatch.setattr(ahead, "start_driver", start)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return made


async def test_who_takes_it_ends_it(driver: Driver) -> None:
    async with driver_ahead() as coming:
        taken: object = await coming.take()
        assert taken is driver
        assert tempfile.gettempdir() == str(coming.folder.parent)
    assert not driver.stopped
    assert await AsyncPath(coming.folder).exists() is False


async def test_one_that_nobody_took_is_ended(driver: Driver) -> None:
    async with driver_ahead():
        await anyio.wait_all_tasks_blocked()
    assert driver.stopped


async def test_a_block_that_ends_at_once_starts_none(driver: Driver) -> None:
    """As for input that is refused before anything runs."""
    with pytest.raises(ValueError, match="refused"):
        async with driver_ahead():
            raise ValueError("refused")
    assert not driver.stopped


async def test_one_that_cannot_start_fails_who_takes_it(
    driver: Driver, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fail(_folder: Path) -> Driver:
        raise BrowserFailedError("no driver")

    monkeypatch.setattr(ahead, "start_driver", fail)
    async with driver_ahead():
        await anyio.wait_all_tasks_blocked()
    with pytest.raises(BrowserFailedError, match="no driver"):
        async with driver_ahead() as coming:
            await coming.take()
    assert not driver.stopped
