"""Whether this machine has what a run needs."""

from __future__ import annotations

from importlib.metadata import version
from typing import TYPE_CHECKING

from codevetter_verify.errors import BrowserFailedError, BrowserMissingError, StorageFailedError
from codevetter_verify.models import Doctor
from oskit.github import way_to_ask
from oskit.process import find_program

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from pathlib import Path

    from codevetter_verify.models import DoctorRequest
    from codevetter_verify.store.store import Store


DRIVER_HINT = (
    "It is the Node.js inside Playwright's package: on a bare Debian or Ubuntu run `apt install libatomic1`; "
    "elsewhere install the package `playwright` again, for this machine's system."
)


async def examine(
    request: DoctorRequest,
    *,
    find_browser: Callable[[str | None], Path],
    find_endpoint: Callable[[], str | None],
    try_driver: Callable[[], Awaitable[None]],
    open_store: Callable[[], Awaitable[Store]],
) -> Doctor:
    """Look for the browser, git and a usable state directory, and start what drives the browser.

    What is missing or does not start comes with what to do.
    """
    problems: list[str] = []
    browser = endpoint = home = None
    try:
        endpoint = None if request.browser else find_endpoint()
        browser = str(find_browser(request.browser))
    except BrowserFailedError as exc:
        problems.append(f"{exc}.")
    except BrowserMissingError as exc:
        if endpoint is None:  # else there is one elsewhere
            problems.append(str(exc))
    try:
        await try_driver()
    except BrowserFailedError as exc:
        problems.append(f"{exc}. {DRIVER_HINT}")
    try:
        home = str((await open_store()).home)
    except StorageFailedError as exc:
        problems.append(exc.text)
    git = find_program("git")
    if git is None:
        problems.append("no git program was found; install git")
    return Doctor(
        ok=not problems,
        home=home,
        browser=browser,
        endpoint=endpoint,
        git=git,
        github=way_to_ask(),
        playwright_version=version("playwright"),
        problems=tuple(problems),
    )
