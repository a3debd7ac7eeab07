"""One session with a browser: the proxy around it, the routes in it."""

from __future__ import annotations

from contextlib import asynccontextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

import anyio

from codevetter_verify.browser.endpoint import BrowserEndpoint
from codevetter_verify.browser.interception import Interception
from codevetter_verify.browser.journey import Session, visit_route
from codevetter_verify.browser.launch import Launch, launched_browser
from codevetter_verify.browser.proxy import filtering_proxy
from codevetter_verify.browser.remote import connected_browser
from codevetter_verify.browser.started import RunningBrowser, playwright_version
from codevetter_verify.browser.together import Together
from codevetter_verify.domain.visit import BrowserFacts
from codevetter_verify.errors import BrowserFailedError

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable
    from pathlib import Path

    from codevetter_verify.browser.ahead import DriverAhead
    from codevetter_verify.domain.observation import Observation
    from codevetter_verify.domain.visit import RouteVisit, Visit

    Started = Callable[[str], Awaitable[None]]
    Observed = Callable[[Observation], Awaitable[None]]


async def hold_session(
    where: Path | BrowserEndpoint,
    visit: Visit,
    *,
    flags: tuple[str, ...],
    ahead: DriverAhead | None = None,
    started: Started,
    observed: Observed,
) -> BrowserFacts:
    """One browser, from its start to the end of its last process; see `ChromiumVisitor.visit`."""
    try:
        async with filtering_proxy(visit.gate) as port, _browser(where, port, flags, ahead) as running:
            if running.identity is not None:
                await started(str(running.identity))
            await _visit_all(running, visit, observed)
            facts = _facts(running)
    except BaseExceptionGroup as group:
        raise _only(group) from group
    return replace(facts, cleaned_up=running.cleaned_up)


def _facts(running: RunningBrowser) -> BrowserFacts:
    return BrowserFacts(
        browser=running.name,
        browser_version=running.version,
        playwright_version=playwright_version(),
        sandbox=running.sandbox,
        remote_host=running.remote_host,
    )


@asynccontextmanager
async def _browser(
    where: Path | BrowserEndpoint, proxy_port: int, flags: tuple[str, ...], ahead: DriverAhead | None
) -> AsyncIterator[RunningBrowser]:
    if isinstance(where, BrowserEndpoint):
        async with connected_browser(where, proxy_port=proxy_port) as running:
            yield running
    else:
        async with launched_browser(Launch(where, proxy_port, flags, ahead)) as running:
            yield running


async def _visit_all(running: RunningBrowser, visit: Visit, observed: Observed) -> None:
    behind_proxy = running.remote_host is None or running.proxy is not None
    interception = await Interception.of(running.browser, visit.gate, checks_addresses=not behind_proxy)
    together = Together(routes=len(visit.targets), at_once=visit.concurrent)
    session = Session(running.browser, interception, visit, together, running.proxy, behind_proxy)

    async def one(target: RouteVisit) -> None:
        await observed(await visit_route(session, target))

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
