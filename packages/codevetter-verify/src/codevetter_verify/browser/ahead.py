"""Playwright's driver, started before it is needed: Node.js boots while git and the preview are asked."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager, suppress
from typing import TYPE_CHECKING

import anyio
from playwright.async_api import Error, Playwright

from codevetter_verify.browser.driver import STOP_S, start_driver, uncut
from codevetter_verify.browser.folder import private_folder
from codevetter_verify.errors import BrowserFailedError

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path


class DriverAhead:
    """A driver on its way. Whoever takes it ends it; it and its browser keep their files in `folder`."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._begun = False
        self._taken = False
        self._start = asyncio.create_task(self._started())

    async def _started(self) -> Playwright:
        self._begun = True
        return await start_driver(self.folder)

    async def take(self) -> Playwright:
        """Return the driver once it runs; raises `BrowserFailedError` when it does not."""
        playwright = await uncut(asyncio.shield(self._start))
        self._taken = True
        return playwright

    async def leave(self) -> None:
        """End the driver unless it was taken, to the last of its start: half of one is lost."""
        if self._taken:
            return
        if not self._begun:
            self._start.cancel()
        with suppress(BrowserFailedError, asyncio.CancelledError):
            playwright = await self._start
            with anyio.move_on_after(STOP_S), suppress(Error, OSError):
                await playwright.stop()


@asynccontextmanager
async def driver_ahead() -> AsyncIterator[DriverAhead]:
    """Begin to start a driver; it is gone when the block ends. One that cannot start fails who takes it."""
    with private_folder() as folder:
        ahead = DriverAhead(folder)
        try:
            yield ahead
        finally:
            with anyio.CancelScope(shield=True):
                await ahead.leave()
