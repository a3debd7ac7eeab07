"""What a context may not: open windows, keep files, ask questions, keep state.

Layers, since none is enough alone: `interception`, which decides over every request; the script that runs
before the page's own (`withhold.js`); launch flags; the proxy. What stays open are GET requests with side
effects; a receipt says so.
"""

from __future__ import annotations

import json
from contextlib import suppress
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from playwright.async_api import Error

if TYPE_CHECKING:
    from collections.abc import Sequence

    from playwright.async_api import Browser, BrowserContext, Dialog, Download, Page, ProxySettings

    from codevetter_verify.browser.collect import Collected

VIEWPORT = {"width": 1280, "height": 720}


@cache
def page_script(name: str) -> str:
    """A script that runs in pages, from beside this module."""
    return files("codevetter_verify.browser").joinpath(name).read_text("utf-8")


async def guarded_context(
    browser: Browser, *, proxy: ProxySettings | None = None, workers: bool = True
) -> BrowserContext:
    """A fresh context: no stored state, no permissions, no service workers, no downloads.

    Without `workers` pages have none at all: where our proxy is not the way out, their WebSockets could not
    be told from requests.
    """
    context = await browser.new_context(
        viewport={"width": VIEWPORT["width"], "height": VIEWPORT["height"]},
        accept_downloads=False,
        service_workers="block",
        permissions=[],
        locale="en-US",
        proxy=proxy,
    )
    more = [] if workers else ["Worker"]
    await context.add_init_script(f"({page_script('withhold.js')})({json.dumps(more)})")
    return context


async def give_cookies(context: BrowserContext, cookies: Sequence[tuple[str, str]], address: str) -> None:
    """Let a context show what the preview gave for a bypass, at the origin of `address` only."""
    parts = urlsplit(address)
    url = f"{parts.scheme}://{parts.netloc}/"
    await context.add_cookies([{"name": name, "value": value, "url": url} for name, value in cookies])


def contain(context: BrowserContext, page: Page, seen: Collected) -> None:
    """Close what the page opens, refuse what it offers and asks, and count it."""

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
