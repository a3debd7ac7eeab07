"""The browser as the service sees it: one order, one session, observations as they come."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import anyio

from codevetter_verify.browser.find import find_browser
from codevetter_verify.browser.journey import visit_route
from codevetter_verify.browser.launch import RunningBrowser, playwright_version, running_browser
from codevetter_verify.browser.proxy import filtering_proxy
from codevetter_verify.domain.visit import BrowserFacts
from codevetter_verify.errors import BrowserFailedError

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from codevetter_verify.domain.observation import Observation
    from codevetter_verify.domain.visit import RouteVisit, Visit


@dataclass(frozen=True)
class ChromiumVisitor:
    """Visits with a Chromium of this machine; `executable` names one, else the usual places are searched."""

    executable: str | None = None

    async def visit(
        self,
        visit: Visit,
        *,
        started: Callable[[str], Awaitable[None]],
        observed: Callable[[Observation], Awaitable[None]],
    ) -> BrowserFacts:
        """Carry out `visit`: `started` gets the identity of the browser's process, `observed` each route's facts.

        Raises `BrowserMissingError` and `BrowserFailedError`. Every process is gone when this returns or raises.
        """
        executable = find_browser(self.executable)
        async with (
            filtering_proxy(visit.gate) as port,
            running_browser(executable, proxy_port=port) as running,
        ):
            await started(str(running.identity))
            await _visit_all(running, visit, observed)
            found = running.version
        return BrowserFacts(
            browser=executable.name,
            browser_version=found,
            playwright_version=playwright_version(),
            sandbox=running.sandbox,
            cleaned_up=running.cleaned_up,
        )


async def _visit_all(
    running: RunningBrowser, visit: Visit, observed: Callable[[Observation], Awaitable[None]]
) -> None:
    turns = anyio.CapacityLimiter(visit.concurrent)

    async def one(target: RouteVisit) -> None:
        async with turns:
            await observed(await visit_route(running.browser, target, visit))

    async with anyio.create_task_group() as tasks:
        for target in visit.targets:
            tasks.start_soon(one, target)
    if not running.browser.is_connected():
        raise BrowserFailedError("the browser ended before the visit did")
