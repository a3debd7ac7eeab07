"""Waits until a page has settled, never for long: one with streams, polling or animations never is idle."""

from __future__ import annotations

from typing import TYPE_CHECKING

import anyio
from playwright.async_api import TimeoutError as PlaywrightTimeout

from oskit.clock import monotonic

if TYPE_CHECKING:
    from playwright.async_api import Page

    from codevetter_verify.browser.collect import Collected

TURN_S = 2.5
"""How long a page that is loading keeps others from starting."""
LOAD_S = 10.0
QUIET_S = 0.5
"""How long nothing may happen on a page before it counts as settled."""
GLANCE_S = 0.1
"""The same before the first look and the picture, which are then made while the page is watched."""
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


async def settle(
    seen: Collected, *, quiet_s: float = QUIET_S, bound_s: float = SETTLE_S, since: float | None = None
) -> None:
    """Return once nothing awaited is under way and nothing has happened for `quiet_s`, or after `bound_s`.

    The quiet may have begun before this call, though not before `since` (monotonic; now by default).
    """
    since = monotonic() if since is None else since
    with anyio.move_on_after(bound_s):
        while True:
            seen.activity = anyio.Event()
            with anyio.move_on_after(quiet_s - (monotonic() - max(since, seen.stirred_at))):
                await seen.activity.wait()
                continue
            if not seen.pending or seen.crashed:
                return
            since = monotonic()  # something is awaited all the same: look again after another quiet
