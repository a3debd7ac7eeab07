"""Looks at a settled page: its state, and its picture."""

from __future__ import annotations

from typing import TYPE_CHECKING

import anyio
from playwright.async_api import Error

from codevetter_verify.browser.guard import page_script
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
_WITHHELD = "() => globalThis.__codevetterWithheld?.() ?? {}"


async def look(page: Page, seen: Collected, progress: Progress) -> None:
    """Read the page's state once it is finished, or has had its time."""
    begun = monotonic()
    progress.state = await page_state(page)
    if monotonic() - begun > QUIET_S:  # its scripts were busy until now: what they do next counts too
        await settle(seen, bound_s=BUSY_SETTLE_S)
        progress.state = await page_state(page)
    with anyio.move_on_after(EXTRA_WAIT_S):
        while _unfinished(progress.state) and not seen.crashed:
            await anyio.sleep(POLL_S)
            progress.state = await page_state(page)
    progress.withheld = await page.evaluate(_WITHHELD)


def _unfinished(state: PageState) -> bool:
    return state.blank or signs.is_waiting(state.text, busy=state.busy)


async def page_state(page: Page) -> PageState:
    """The document as a visitor sees it."""
    try:
        return await _read(page)
    except Error as exc:
        if "context was destroyed" not in str(exc):  # the page navigated meanwhile: look at where it went
            raise
        await page.wait_for_load_state("load")
        return await _read(page)


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
