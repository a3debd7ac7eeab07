"""Starts one Chromium for one run, and ends it with everything it started."""

from __future__ import annotations

import os
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from importlib.metadata import version
from typing import TYPE_CHECKING

import anyio
from anyio import to_thread
from playwright.async_api import Browser, Error, Playwright, async_playwright

from codevetter_verify.browser.collect import net_error
from codevetter_verify.errors import BrowserFailedError
from oskit.process import ProcessIdentity, clean_environment, kill_tree

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

LAUNCH_S = 30.0
STOP_S = 0.5
"""For Playwright's driver, after its browser is gone; a host gives a leaving server two seconds in all."""

_FLAGS = (
    "--disable-gpu",
    "--disable-quic",  # UDP would go around the proxy
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-domain-reliability",
    "--disable-features=Prerender2,PreloadingConfig",
    "--dns-prefetch-disable",
    "--no-pings",
    "--no-first-run",
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--force-webrtc-ip-handling-policy",
    # the proxy resolves for the browser; what goes around it finds no address
    "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1",
)


@dataclass(slots=True)
class RunningBrowser:
    """A started Chromium. `cleaned_up` is known once its block has ended."""

    browser: Browser
    identity: ProcessIdentity
    driver: ProcessIdentity | None
    sandbox: bool
    cleaned_up: bool = False

    @property
    def version(self) -> str:
        """What the browser calls itself."""
        return self.browser.version


def playwright_version() -> str:
    """The version of the installed Playwright."""
    return version("playwright")


@asynccontextmanager
async def running_browser(executable: Path, *, proxy_port: int) -> AsyncIterator[RunningBrowser]:
    """Yield a browser whose whole process tree is gone when the block ends, however it ends."""
    playwright = await _start_driver()
    running: RunningBrowser | None = None
    try:
        running = await _launch(playwright, executable, proxy_port)
        yield running
    finally:
        with anyio.CancelScope(shield=True):
            cleaned_up = await _end(playwright, running)
            if running is not None:
                running.cleaned_up = cleaned_up


async def _start_driver() -> Playwright:
    try:
        with anyio.fail_after(LAUNCH_S):
            return await async_playwright().start()
    except (Error, OSError, TimeoutError) as exc:
        raise BrowserFailedError(f"Playwright's driver did not start: {net_error(str(exc))}") from exc


async def _launch(playwright: Playwright, executable: Path, proxy_port: int) -> RunningBrowser:
    """Launch with the sandbox unless we are root, whom Chromium refuses it.

    Without it where the machine has none.
    """
    sandbox = hasattr(os, "geteuid") and os.geteuid() != 0
    try:
        browser = await _start(playwright, executable, proxy_port, sandbox=sandbox)
    except Error as exc:
        if not (sandbox and "sandbox" in str(exc).lower()):
            raise BrowserFailedError(f"{executable} did not start: {_why(exc)}") from exc
        sandbox = False
        browser = await _start_unsandboxed(playwright, executable, proxy_port)
    return await _identified(browser, sandbox=sandbox)


async def _start_unsandboxed(playwright: Playwright, executable: Path, proxy_port: int) -> Browser:
    try:
        return await _start(playwright, executable, proxy_port, sandbox=False)
    except Error as exc:
        raise BrowserFailedError(f"{executable} did not start: {_why(exc)}") from exc


async def _start(playwright: Playwright, executable: Path, proxy_port: int, *, sandbox: bool) -> Browser:
    return await playwright.chromium.launch(
        executable_path=executable,
        args=list(_FLAGS),
        chromium_sandbox=sandbox,
        proxy={"server": f"http://127.0.0.1:{proxy_port}"},
        env=dict(clean_environment(keep=("FONTCONFIG_PATH", "FONTCONFIG_FILE"))),
        handle_sigint=False,  # ending it is ours alone
        handle_sigterm=False,
        handle_sighup=False,
        timeout=LAUNCH_S * 1000,
    )


def _why(exc: Error) -> str:
    """The line of a launch failure that names the reason; the rest is the command line and a call log."""
    lines = [line.strip() for line in str(exc).splitlines() if line.strip()]
    telling = [line for line in lines if "error while loading" in line or "FATAL" in line or "ERROR" in line]
    return (telling or lines or ["no reason given"])[0][:300]


async def _identified(browser: Browser, *, sandbox: bool) -> RunningBrowser:
    """Which process it is, asked of itself: Playwright does not tell."""
    session = await browser.new_browser_cdp_session()
    processes = (await session.send("SystemInfo.getProcessInfo"))["processInfo"]
    await session.detach()
    pid = next(int(process["id"]) for process in processes if process["type"] == "browser")
    identity = ProcessIdentity.of(pid)
    row = identity.row() if identity else None
    if identity is None or row is None:
        raise BrowserFailedError("the browser ended right after its start")
    driver = ProcessIdentity.of(row.ppid) if row.ppid > 1 else None
    return RunningBrowser(browser, identity, driver, sandbox)


async def _end(playwright: Playwright, running: RunningBrowser | None) -> bool:
    """Kill the browser rather than ask it to close: a polite end fires the pages' unload handlers."""
    if running is not None:
        await to_thread.run_sync(lambda: kill_tree(running.identity, grace_s=0))
    with anyio.move_on_after(STOP_S), suppress(Error, OSError):
        await playwright.stop()
    if running is None:
        return True
    if running.driver is not None and running.driver.is_alive():
        driver = running.driver
        await to_thread.run_sync(lambda: kill_tree(driver, grace_s=0))
    return not running.identity.is_alive()
