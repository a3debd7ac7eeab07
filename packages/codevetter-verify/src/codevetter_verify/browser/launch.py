"""Starts one Chromium for one run, and ends it with everything it started."""

from __future__ import annotations

import os
from contextlib import asynccontextmanager, nullcontext, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

import anyio
from anyio import to_thread
from anyio.lowlevel import checkpoint
from playwright.async_api import Browser, Error, Playwright

from codevetter_verify.browser.driver import HURRIED_STOP_S, START_S, STOP_S, start_driver, uncut
from codevetter_verify.browser.folder import note_started, private_folder
from codevetter_verify.browser.started import RunningBrowser
from codevetter_verify.errors import BrowserFailedError
from oskit.process import ProcessIdentity, clean_environment, kill_tree

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from codevetter_verify.browser.ahead import DriverAhead

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


@dataclass(frozen=True, slots=True)
class Launch:
    """What to start. `flags` come after our own; `ahead` is a driver that is on its way already."""

    executable: Path
    proxy_port: int
    flags: tuple[str, ...] = ()
    ahead: DriverAhead | None = None


@asynccontextmanager
async def launched_browser(launch: Launch) -> AsyncIterator[RunningBrowser]:
    """Yield a browser whose whole process tree is gone when the block ends, however it ends.

    Raises `BrowserFailedError`.
    """
    with nullcontext(launch.ahead.folder) if launch.ahead else private_folder() as folder:
        playwright = await (launch.ahead.take() if launch.ahead else uncut(start_driver(folder)))
        running: RunningBrowser | None = None
        patience = HURRIED_STOP_S
        try:
            running = await uncut(_launch(playwright, launch, folder))
            yield running
            patience = STOP_S
        finally:
            with anyio.CancelScope(shield=True):
                cleaned_up = await _end(playwright, running, patience)
                if running is not None:
                    running.cleaned_up = cleaned_up


async def _launch(playwright: Playwright, launch: Launch, folder: Path) -> RunningBrowser:
    """Launch with the sandbox, unless we are root, whom Chromium refuses it, or the machine has none."""
    sandbox = hasattr(os, "geteuid") and os.geteuid() != 0
    try:
        browser = await _start(playwright, launch, folder, sandbox=sandbox)
    except Error as exc:
        if not (sandbox and "sandbox" in str(exc).lower()):
            raise BrowserFailedError(f"{launch.executable} did not start: {_why(exc)}") from exc
        sandbox = False
        browser = await _start_unsandboxed(playwright, launch, folder)
    running = await _identified(browser, launch.executable.name, sandbox=sandbox)
    note_started(folder, running.identity, running.driver)
    return running


async def _start_unsandboxed(playwright: Playwright, launch: Launch, folder: Path) -> Browser:
    try:
        return await _start(playwright, launch, folder, sandbox=False)
    except Error as exc:
        raise BrowserFailedError(f"{launch.executable} did not start: {_why(exc)}") from exc


async def _start(playwright: Playwright, launch: Launch, folder: Path, *, sandbox: bool) -> Browser:
    kept = ("FONTCONFIG_PATH", "FONTCONFIG_FILE")
    return await playwright.chromium.launch(
        executable_path=launch.executable,
        args=[*_FLAGS, *launch.flags],
        chromium_sandbox=sandbox,
        proxy={"server": f"http://127.0.0.1:{launch.proxy_port}"},
        env=dict(clean_environment(keep=kept, add={"TMPDIR": str(folder)})),
        handle_sigint=False,  # ending it is ours alone
        handle_sigterm=False,
        handle_sighup=False,
        timeout=START_S * 1000,
    )


def _why(exc: Error) -> str:
    """The line of a launch failure that names the reason; the rest is the command line and a call log."""
    lines = [line.strip() for line in str(exc).splitlines() if line.strip()]
    telling = [line for line in lines if "error while loading" in line or "FATAL" in line or "ERROR" in line]
    return (telling or lines or ["no reason given"])[0][:300]


async def _identified(browser: Browser, name: str, *, sandbox: bool) -> RunningBrowser:
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
    return RunningBrowser(browser, name, sandbox, identity, driver)


async def _end(playwright: Playwright, running: RunningBrowser | None, patience_s: float) -> bool:
    """Kill the browser rather than ask it to close: a polite end fires the pages' unload handlers.

    Its driver has nothing left to do then: what it would tidy up lies in our folder.
    """
    browser, driver = (running.identity, running.driver) if running else (None, None)
    if browser is not None:
        await to_thread.run_sync(lambda: kill_tree(browser, grace_s=0))
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(_stop, playwright, patience_s)
        await checkpoint()  # Playwright is to know that the end is wanted before it comes
        if driver is not None:
            await to_thread.run_sync(lambda: kill_tree(driver, grace_s=0))
    return browser is None or not browser.is_alive()


async def _stop(playwright: Playwright, patience_s: float) -> None:
    with anyio.move_on_after(patience_s), suppress(Error, OSError):
        await playwright.stop()
