"""Visits with a browser that others started: a Playwright server, or a Chromium that listens for CDP."""

from __future__ import annotations

from contextlib import asynccontextmanager, suppress
from typing import TYPE_CHECKING

import anyio
from playwright.async_api import Browser, BrowserContext, Error, Playwright

from codevetter_verify.browser.collect import net_error
from codevetter_verify.browser.driver import HURRIED_STOP_S, START_S, STOP_S, start_driver, uncut
from codevetter_verify.browser.folder import private_folder
from codevetter_verify.browser.started import RunningBrowser
from codevetter_verify.errors import BrowserFailedError

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from codevetter_verify.browser.endpoint import BrowserEndpoint


@asynccontextmanager
async def connected_browser(endpoint: BrowserEndpoint, *, proxy_port: int) -> AsyncIterator[RunningBrowser]:
    """Yield the browser at `endpoint`; what was opened in it is gone when the block ends.

    Its processes are its server's to end. Raises `BrowserFailedError`.
    """
    with private_folder() as folder:
        playwright = await uncut(start_driver(folder))
        running: RunningBrowser | None = None
        others: list[BrowserContext] = []
        patience = HURRIED_STOP_S
        try:
            browser = await uncut(_connect(playwright, endpoint))
            others = browser.contexts  # a CDP browser shows its owner's windows too
            running = _described(browser, endpoint, proxy_port)
            yield running
            patience = STOP_S
        finally:
            with anyio.CancelScope(shield=True):
                cleaned_up = await _leave(playwright, running, others, patience)
                if running is not None:
                    running.cleaned_up = cleaned_up


async def _connect(playwright: Playwright, endpoint: BrowserEndpoint) -> Browser:
    chromium = playwright.chromium
    try:
        if endpoint.protocol == "cdp":
            return await chromium.connect_over_cdp(endpoint.url, timeout=START_S * 1000)
        return await chromium.connect(endpoint.url, timeout=START_S * 1000)
    except Error as exc:
        reason = net_error(str(exc)).replace(endpoint.url, endpoint.host)
        raise BrowserFailedError(
            f"the browser server at {endpoint.host} did not take us ({endpoint.protocol} protocol): {reason}"
        ) from exc


def _described(browser: Browser, endpoint: BrowserEndpoint, proxy_port: int) -> RunningBrowser:
    """Our proxy is the way out of a browser on this machine; one elsewhere cannot reach it."""
    return RunningBrowser(
        browser,
        f"{browser.browser_type.name} at {endpoint.host}",
        sandbox=False,
        proxy={"server": f"http://127.0.0.1:{proxy_port}"} if endpoint.is_here else None,
        remote_host=endpoint.host,
    )


async def _leave(
    playwright: Playwright, running: RunningBrowser | None, others: list[BrowserContext], patience_s: float
) -> bool:
    """Close what we opened. Pages' unload handlers run: `interception` still decides on what they send."""
    closed = running is None
    with anyio.move_on_after(patience_s), suppress(Error):
        if running is not None:
            for context in running.browser.contexts:
                if context not in others:
                    await context.close()
            await running.browser.close()
            closed = True
    with anyio.move_on_after(patience_s), suppress(Error, OSError):
        await playwright.stop()
    return closed
