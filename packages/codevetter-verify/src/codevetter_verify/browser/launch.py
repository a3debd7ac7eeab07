"""Starts one Chromium for one run, and ends it with everything it started."""

from __future__ import annotations

import os
import shutil
import tempfile
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import anyio
from anyio import to_thread
from playwright.async_api import Browser, Error, Playwright, async_playwright

from codevetter_verify.browser.collect import net_error
from codevetter_verify.errors import BrowserFailedError
from oskit.process import ProcessIdentity, clean_environment, kill_tree

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Iterator

T = TypeVar("T")

LAUNCH_S = 30.0
STOP_S = 5.0
"""For Playwright's driver, after its browser is gone: it removes the browser's profile, then ends."""
HURRIED_STOP_S = 0.5
"""The same when we are being cancelled; a host gives a leaving server two seconds in all."""

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
    with private_folder() as folder:
        async with _running_in(folder, executable, proxy_port) as running:
            yield running


@contextmanager
def private_folder() -> Iterator[Path]:
    """A temporary folder for profile and artifacts, gone with all its content when the block ends.

    Playwright removes them itself, but not when processes that we kill were still writing there.
    """
    folder = Path(tempfile.mkdtemp(prefix="codevetter-"))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@asynccontextmanager
async def _running_in(folder: Path, executable: Path, proxy_port: int) -> AsyncIterator[RunningBrowser]:
    playwright = await _uncut(_start_driver(folder))
    running: RunningBrowser | None = None
    patience = HURRIED_STOP_S
    try:
        running = await _uncut(_launch(playwright, _Launch(executable, proxy_port, folder)))
        yield running
        patience = STOP_S
    finally:
        with anyio.CancelScope(shield=True):
            cleaned_up = await _end(playwright, running, patience)
            if running is not None:
                running.cleaned_up = cleaned_up


async def _uncut(start: Awaitable[T]) -> T:
    """Let a start come to its end though we are being cancelled: half of one is a process nobody knows."""
    with anyio.CancelScope(shield=True):
        started = await start
    return started  # noqa: RET504 - mypy takes a return inside for one that the scope may swallow


@dataclass(frozen=True, slots=True)
class _Launch:
    executable: Path
    proxy_port: int
    folder: Path


async def _start_driver(folder: Path) -> Playwright:
    try:
        with anyio.fail_after(LAUNCH_S), _temporary_folder(folder):
            return await async_playwright().start()
    except (Error, OSError, TimeoutError) as exc:
        raise BrowserFailedError(f"Playwright's driver did not start: {net_error(str(exc))}") from exc


@contextmanager
def _temporary_folder(folder: Path) -> Iterator[None]:
    """Let the driver, which takes our environment and no other, put its files into `folder`."""
    before = os.environ.get("TMPDIR")
    os.environ["TMPDIR"] = str(folder)
    try:
        yield
    finally:
        if before is None:
            del os.environ["TMPDIR"]
        else:
            os.environ["TMPDIR"] = before


async def _launch(playwright: Playwright, launch: _Launch) -> RunningBrowser:
    """Launch with the sandbox, unless we are root, whom Chromium refuses it, or the machine has none."""
    sandbox = hasattr(os, "geteuid") and os.geteuid() != 0
    try:
        browser = await _start(playwright, launch, sandbox=sandbox)
    except Error as exc:
        if not (sandbox and "sandbox" in str(exc).lower()):
            raise BrowserFailedError(f"{launch.executable} did not start: {_why(exc)}") from exc
        sandbox = False
        browser = await _start_unsandboxed(playwright, launch)
    return await _identified(browser, sandbox=sandbox)


async def _start_unsandboxed(playwright: Playwright, launch: _Launch) -> Browser:
    try:
        return await _start(playwright, launch, sandbox=False)
    except Error as exc:
        raise BrowserFailedError(f"{launch.executable} did not start: {_why(exc)}") from exc


async def _start(playwright: Playwright, launch: _Launch, *, sandbox: bool) -> Browser:
    kept = ("FONTCONFIG_PATH", "FONTCONFIG_FILE")
    return await playwright.chromium.launch(
        executable_path=launch.executable,
        args=list(_FLAGS),
        chromium_sandbox=sandbox,
        proxy={"server": f"http://127.0.0.1:{launch.proxy_port}"},
        env=dict(clean_environment(keep=kept, add={"TMPDIR": str(launch.folder)})),
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


async def _end(playwright: Playwright, running: RunningBrowser | None, patience_s: float) -> bool:
    """Kill the browser rather than ask it to close: a polite end fires the pages' unload handlers."""
    if running is not None:
        await to_thread.run_sync(lambda: kill_tree(running.identity, grace_s=0))
    with anyio.move_on_after(patience_s), suppress(Error, OSError):
        await playwright.stop()
    if running is None:
        return True
    if running.driver is not None and running.driver.is_alive():
        driver = running.driver
        await to_thread.run_sync(lambda: kill_tree(driver, grace_s=0))
    return not running.identity.is_alive()
