"""A trial of Playwright's driver: whether the Node.js that would drive a browser runs on this machine."""

from __future__ import annotations

import anyio
from playwright.async_api import Error

from codevetter_verify.browser.driver import STOP_S, start_driver, uncut
from codevetter_verify.browser.folder import private_folder
from codevetter_verify.errors import BrowserFailedError


async def try_driver() -> None:
    """Start the driver and end it again, without a browser; raises `BrowserFailedError`."""
    with private_folder() as folder:
        driver = await uncut(start_driver(folder))
        try:
            with anyio.fail_after(STOP_S, shield=True):
                await driver.stop()
        except (Error, OSError, TimeoutError) as exc:
            raise BrowserFailedError(f"Playwright's driver started, but did not end: {exc}") from exc
