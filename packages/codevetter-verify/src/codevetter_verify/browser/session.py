"""One session with a started Chromium: the proxy around it, the routes in it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import anyio

from codevetter_verify.browser.journey import visit_route
from codevetter_verify.browser.launch import RunningBrowser, playwright_version, running_browser
from codevetter_verify.browser.proxy import filtering_proxy
from codevetter_verify.domain.visit import BrowserFacts
from codevetter_verify.errors import BrowserFailedError

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from pathlib import Path

    from codevetter_verify.domain.observation import Observation
    from codevetter_verify.domain.visit import RouteVisit, Visit

    Started = Callable[[str], Awaitable[None]]
    Observed = Callable[[Observation], Awaitable[None]]


async def hold_session(
    executable: Path, visit: Visit, *, started: Started, observed: Observed
) -> BrowserFacts:
    """One browser, from its start to the end of its last process; see `ChromiumVisitor.visit`."""
    try:
        return await _session(executable, visit, started, observed)
    except BaseExceptionGroup as group:
        raise _only(group) from group


async def _session(executable: Path, visit: Visit, started: Started, observed: Observed) -> BrowserFacts:
    async with filtering_proxy(visit.gate) as port:
        async with running_browser(executable, proxy_port=port) as running:
            await started(str(running.identity))
            await _visit_all(running, visit, observed)
            version = running.version
        return BrowserFacts(
            browser=executable.name,
            browser_version=version,
            playwright_version=playwright_version(),
            sandbox=running.sandbox,
            cleaned_up=running.cleaned_up,
        )


async def _visit_all(running: RunningBrowser, visit: Visit, observed: Observed) -> None:
    turns = anyio.CapacityLimiter(visit.concurrent)

    async def one(target: RouteVisit) -> None:
        async with turns:
            await observed(await visit_route(running.browser, target, visit))

    async with anyio.create_task_group() as tasks:
        for target in visit.targets:
            tasks.start_soon(one, target)
    if not running.browser.is_connected():
        raise BrowserFailedError("the browser ended before the visit did")


def _only(group: BaseExceptionGroup[BaseException]) -> BaseException:
    """What task groups wrapped, when it is one thing."""
    if len(group.exceptions) > 1:
        return group
    inner = group.exceptions[0]
    return _only(inner) if isinstance(inner, BaseExceptionGroup) else inner
