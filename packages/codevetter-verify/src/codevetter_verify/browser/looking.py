"""Looks at a settled page: its state, and its picture."""

from __future__ import annotations

import base64
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

import anyio
from anyio import to_thread
from playwright.async_api import Error

from codevetter_verify.browser.guard import VIEWPORT, page_script
from codevetter_verify.browser.picture import is_one_colour
from codevetter_verify.browser.settle import QUIET_S, settle
from codevetter_verify.domain import signs
from codevetter_verify.domain.observation import PageState
from codevetter_verify.domain.revision import HEADERS, statements
from oskit.clock import monotonic

if TYPE_CHECKING:
    from playwright.async_api import Page

    from codevetter_verify.browser.collect import Collected
    from codevetter_verify.browser.progress import Progress

EXTRA_WAIT_S = 5.0
"""How much longer a page that is blank or says that it is loading gets."""
POLL_S = 0.25
BUSY_SETTLE_S = 1.5
SCREENSHOT_S = 5.0
_JPEG_QUALITY = 60
_PICTURED_PX = 5000
_WITHHELD = "() => globalThis.__codevetterWithheld?.() ?? {}"


async def look(page: Page, seen: Collected, progress: Progress) -> None:
    """Read the page's state once it is finished, or has had its time."""
    begun = monotonic()
    progress.state = await page_state(page)
    if monotonic() - begun > QUIET_S:  # its scripts were busy until now: what they do next counts too
        await settle(seen, bound_s=BUSY_SETTLE_S)
        progress.state = await page_state(page)
    progress.state = await _pictured(page, progress.state)
    with anyio.move_on_after(EXTRA_WAIT_S):
        while _unfinished(progress.state) and not seen.crashed:
            await anyio.sleep(POLL_S)
            progress.state = await _pictured(page, await page_state(page))
    progress.withheld = await page.evaluate(_WITHHELD)


async def _pictured(page: Page, state: PageState) -> PageState:
    """The state with what a picture says of it, where words leave a doubt."""
    if state.blank or not state.doubtful:
        return state
    return replace(state, one_colour=await _shows_one_colour(page))


async def _shows_one_colour(page: Page) -> bool:
    """Whether there is nothing to be seen on the whole page, down to `_PICTURED_PX`."""
    with anyio.move_on_after(SCREENSHOT_S), suppress(Error):
        session = await page.context.new_cdp_session(page)
        size = (await session.send("Page.getLayoutMetrics"))["cssContentSize"]
        clip = {
            "x": 0,
            "y": 0,
            "width": max(size["width"], 1),
            "height": min(max(size["height"], VIEWPORT["height"]), _PICTURED_PX),
            "scale": 0.25,
        }
        wanted = {"format": "png", "clip": clip, "captureBeyondViewport": True}
        png = base64.b64decode((await session.send("Page.captureScreenshot", wanted))["data"])
        await session.detach()
        return await to_thread.run_sync(is_one_colour, png)
    return False


def _unfinished(state: PageState) -> bool:
    nothing = state.blank or state.one_colour or state.only_banner  # it may be about to fade in
    return nothing or signs.is_waiting(state.text, busy=state.busy)


async def page_state(page: Page) -> PageState:
    """The document as a visitor sees it."""
    try:
        return await _read(page)
    except Error as exc:
        if "context was destroyed" not in str(exc):  # the page navigated meanwhile: look at where it went
            raise
        await page.wait_for_load_state("load")
        try:
            return await _read(page)
        except Error as again:
            raise Error("the page keeps going elsewhere") from again


async def _read(page: Page) -> PageState:
    found = await page.evaluate(page_script("page_state.js"), list(HEADERS))
    metas: dict[str, list[str]] = {}
    for name, content in found.pop("revisions"):
        metas.setdefault(name.lower(), []).append(content)
    return PageState(**found, statements=statements(metas))


async def photograph(page: Page, progress: Progress) -> None:
    """Take a picture of the window; a receipt without one is still a receipt."""
    with anyio.move_on_after(SCREENSHOT_S):
        try:
            progress.screenshot = await page.screenshot(
                type="jpeg", quality=_JPEG_QUALITY, timeout=SCREENSHOT_S * 1000
            )
        except Error:
            return
        finally:
            progress.mark("screenshot")
