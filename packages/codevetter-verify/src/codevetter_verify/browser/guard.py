"""What a context may not: change state, leave the preview's site, open windows, keep files, ask questions.

Layers, since none is enough alone: this interception, the script that runs before the page's own
(`withhold.js`), launch flags, and the proxy. What stays open are GET requests with side effects; a receipt
says so.
"""

from __future__ import annotations

from contextlib import suppress
from importlib.resources import files
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from playwright.async_api import Error

from codevetter_verify.browser.wire import SAFE_METHODS

if TYPE_CHECKING:
    from playwright.async_api import Browser, BrowserContext, Dialog, Download, Page, Route, WebSocketRoute

    from codevetter_verify.browser.collect import Collected

VIEWPORT = {"width": 1280, "height": 720}


async def guarded_context(browser: Browser) -> BrowserContext:
    """A fresh context: no stored state, no permissions, no service workers, no downloads."""
    context = await browser.new_context(
        viewport={"width": VIEWPORT["width"], "height": VIEWPORT["height"]},
        accept_downloads=False,
        service_workers="block",
        permissions=[],
        locale="en-US",
    )
    await context.add_init_script(
        files("codevetter_verify.browser").joinpath("withhold.js").read_text("utf-8")
    )
    return context


async def guarded_page(context: BrowserContext, seen: Collected) -> Page:
    """The one page of a context, its guards counting into `seen`."""

    async def intercept(route: Route) -> None:
        with suppress(Error):  # the browser may be gone by the time we answer
            if _allowed(route, seen):
                await route.continue_()
            else:
                await route.abort("blockedbyclient")

    async def refuse_socket(socket: WebSocketRoute) -> None:
        seen.refused_requests += 1
        with suppress(Error):
            await socket.close(code=1008, reason="blocked by T-Rex")

    await context.route("**/*", intercept)
    await context.route_web_socket("**/*", refuse_socket)
    page = await context.new_page()
    _contain(context, page, seen)
    return page


def _allowed(route: Route, seen: Collected) -> bool:
    request = route.request
    if request.method not in SAFE_METHODS:
        seen.refused_requests += 1
        return False
    if (
        request.is_navigation_request()
        and request.frame.parent_frame is None
        and not seen.is_first_party(request.url)
    ):
        seen.left_site = urlsplit(request.url).hostname or "another site"
        return False
    return True


def _contain(context: BrowserContext, page: Page, seen: Collected) -> None:
    async def close_other(other: Page) -> None:
        if other is not page:
            seen.popups += 1
            with suppress(Error):
                await other.close(run_before_unload=False)

    async def dismiss(dialog: Dialog) -> None:
        seen.dialogs += 1
        with suppress(Error):
            await dialog.dismiss()

    async def refuse_download(download: Download) -> None:
        seen.downloads += 1
        with suppress(Error):
            await download.cancel()

    context.on("page", close_other)
    page.on("dialog", dismiss)
    page.on("download", refuse_download)
