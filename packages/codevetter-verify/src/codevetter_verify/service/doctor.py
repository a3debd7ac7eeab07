"""Whether this machine has what a run needs."""

from __future__ import annotations

from importlib.metadata import version
from typing import TYPE_CHECKING

from codevetter_verify.errors import BrowserMissingError, StorageFailedError
from codevetter_verify.models import Doctor
from oskit.process import find_program

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from pathlib import Path

    from codevetter_verify.models import DoctorRequest
    from codevetter_verify.store.store import Store


async def examine(
    request: DoctorRequest,
    *,
    find_browser: Callable[[str | None], Path],
    open_store: Callable[[], Awaitable[Store]],
) -> Doctor:
    """Look for the browser, git and a usable state directory; what is missing comes with what to do."""
    problems: list[str] = []
    browser = home = None
    try:
        browser = str(find_browser(request.browser))
    except BrowserMissingError as exc:
        problems.append(str(exc))
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
        git=git,
        playwright_version=version("playwright"),
        problems=tuple(problems),
    )
