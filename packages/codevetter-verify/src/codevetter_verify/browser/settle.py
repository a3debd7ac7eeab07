"""Waits until a page has settled, never for long: one with streams, polling or animations never is idle."""

from __future__ import annotations

from typing import TYPE_CHECKING

import anyio
from playwright.async_api import TimeoutError as PlaywrightTimeout

if TYPE_CHECKING:
    from playwright.async_api import Page

    from codevetter_verify.browser.collect import Collected

LOAD_S = 10.0
QUIET_S = 0.5
SETTLE_S = 4.0


async def settle(page: Page, seen: Collected) -> None:
    """Return when the page is loaded and has been quiet for `QUIET_S`, or after `LOAD_S` and `SETTLE_S`."""
    try:
        await page.wait_for_load_state("load", timeout=LOAD_S * 1000)
    except PlaywrightTimeout:
        return  # what did not arrive is named by the collector
    with anyio.move_on_after(SETTLE_S):
        await quiet(seen)


async def quiet(seen: Collected) -> None:
    """Return once nothing awaited is under way and nothing has happened for `QUIET_S`."""
    while True:
        seen.activity = anyio.Event()
        with anyio.move_on_after(QUIET_S):
            await seen.activity.wait()
            continue
        if not seen.pending or seen.crashed:
            return
