"""Waits until a page has settled, never for long: one with streams, polling or animations never is idle."""

from __future__ import annotations

from typing import TYPE_CHECKING

import anyio
from playwright.async_api import TimeoutError as PlaywrightTimeout

if TYPE_CHECKING:
    from playwright.async_api import Page

    from codevetter_verify.browser.collect import Collected

TURN_S = 2.5
"""How long a page that is loading keeps others from starting."""
LOAD_S = 10.0
QUIET_S = 0.5
SETTLE_S = 4.0
UNLOADED_SETTLE_S = 1.0
"""For a page that had all of `LOAD_S` and is still loading."""


async def loaded(page: Page, *, within_s: float) -> bool:
    """Whether the page has loaded; what did not arrive is named by the collector."""
    try:
        await page.wait_for_load_state("load", timeout=within_s * 1000)
    except PlaywrightTimeout:
        return False
    return True


async def settle(seen: Collected, *, bound_s: float = SETTLE_S) -> None:
    """Return once nothing awaited is under way and nothing has happened for `QUIET_S`, or after `bound_s`."""
    with anyio.move_on_after(bound_s):
        while True:
            seen.activity = anyio.Event()
            with anyio.move_on_after(QUIET_S):
                await seen.activity.wait()
                continue
            if not seen.pending or seen.crashed:
                return
