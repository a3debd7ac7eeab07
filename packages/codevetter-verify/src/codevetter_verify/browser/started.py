"""A browser that can be visited with, wherever it runs."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.metadata import version
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.async_api import Browser, ProxySettings

    from oskit.process import ProcessIdentity


@dataclass(slots=True)
class RunningBrowser:
    """A started Chromium. `cleaned_up` is known once its block has ended.

    `identity` and `driver` are processes of this machine, unknown for a browser that others started.
    `proxy` is what contexts must name, where the browser itself was not started with it.
    """

    browser: Browser
    name: str
    sandbox: bool
    identity: ProcessIdentity | None = None
    driver: ProcessIdentity | None = None
    proxy: ProxySettings | None = None
    remote_host: str | None = None
    cleaned_up: bool = False

    @property
    def version(self) -> str:
        """What the browser calls itself."""
        return self.browser.version


def playwright_version() -> str:
    """The version of the installed Playwright."""
    return version("playwright")
