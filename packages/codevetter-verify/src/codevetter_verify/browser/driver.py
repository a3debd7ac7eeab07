"""Playwright's driver, the Node.js program between us and a browser."""

from __future__ import annotations

import asyncio
import os
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

import anyio
from playwright.async_api import Error, Playwright, async_playwright

from codevetter_verify.browser.collect import net_error
from codevetter_verify.errors import BrowserFailedError

if TYPE_CHECKING:
    from collections.abc import Awaitable, Iterator
    from pathlib import Path

T = TypeVar("T")

START_S = 30.0
STOP_S = 5.0
"""For the driver, after its browser is gone: it removes the browser's profile, then ends."""
HURRIED_STOP_S = 0.5
"""The same when we are being cancelled; a host gives a leaving server two seconds in all."""


async def start_driver(folder: Path) -> Playwright:
    """Start it with its files in `folder`; raises `BrowserFailedError`."""
    try:
        with anyio.fail_after(START_S), _temporary_folder(folder):
            return await async_playwright().start()
    except Exception as exc:  # a bare one is what Playwright raises when the driver ends at once
        asyncio.get_running_loop().set_exception_handler(_without_echo)
        raise BrowserFailedError(f"Playwright's driver did not start: {net_error(str(exc))}") from exc


def _without_echo(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """Report what nobody handled, but a failed start not twice: Playwright forgets a future of it."""
    if not isinstance(context.get("exception"), Error):
        loop.default_exception_handler(context)


async def uncut(start: Awaitable[T]) -> T:
    """Let a start come to its end though we are being cancelled: half of one is a process nobody knows."""
    with anyio.CancelScope(shield=True):
        started = await start
    return started  # noqa: RET504 - mypy takes a return inside for one that the scope may swallow


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
