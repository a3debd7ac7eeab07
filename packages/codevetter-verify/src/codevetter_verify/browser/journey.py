"""Visits one route once and returns what was seen."""

from __future__ import annotations

from dataclasses import dataclass, field
from importlib.resources import files
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import anyio
from playwright.async_api import Error

from codevetter_verify.browser.collect import Collected, net_error
from codevetter_verify.browser.guard import guarded_context, guarded_page
from codevetter_verify.browser.settle import settle
from codevetter_verify.domain import signs
from codevetter_verify.domain.observation import Navigation, Observation, PageState
from codevetter_verify.models import Contained, StageTimings
from oskit.clock import monotonic

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.async_api import Browser, Page

    from codevetter_verify.domain.observation import Interruption
    from codevetter_verify.domain.visit import RouteVisit, Visit

EXTRA_WAIT_S = 5.0
"""How much longer a page that is blank or says that it is loading gets."""
POLL_S = 0.25
SCREENSHOT_S = 5.0
_JPEG_QUALITY = 60
_DOWNLOAD = "Download is starting"
_WITHHELD = "() => globalThis.__codevetterWithheld?.() ?? {}"


@dataclass
class _Progress:
    """What is known so far, so that a visit cut short still reports it."""

    started: float
    marks: dict[str, int] = field(default_factory=dict)
    state: PageState | None = None
    withheld: dict[str, int] = field(default_factory=dict)
    navigation: Navigation | None = None
    interruption: Interruption | None = None
    detail: str = ""
    screenshot: bytes | None = None
    observed: bool = False
    last: float = 0.0

    def mark(self, stage: str) -> None:
        """Note the milliseconds since the last mark."""
        now = monotonic()
        self.marks[stage] = round((now - (self.last or self.started)) * 1000)
        self.last = now

    def interrupt(self, why: Interruption, detail: str) -> None:
        """Note why the visit ends early; the first reason counts."""
        if self.interruption is None:
            self.interruption, self.detail = why, detail


async def visit_route(browser: Browser, target: RouteVisit, visit: Visit) -> Observation:
    """Visit `target` in a context of its own, within the route's deadline.

    Never raises for what the page does.
    """
    seen = Collected(is_first_party=_first_party(visit), refusal=visit.gate.refusal)
    progress = _Progress(started=monotonic())
    with anyio.move_on_after(visit.route_deadline_s) as scope:
        try:
            await _travel(browser, target, visit, seen, progress)
        except Error as exc:
            progress.interrupt("crashed", f"the browser gave up: {net_error(str(exc))}")
    if scope.cancelled_caught and not progress.observed:  # a picture that came too late is only a picture
        progress.interrupt("deadline", f"the page was not observed within {visit.route_deadline_s:g} s")
    return _observation(target.route, seen, progress)


async def _travel(
    browser: Browser, target: RouteVisit, visit: Visit, seen: Collected, progress: _Progress
) -> None:
    context = await guarded_context(browser)
    page = await guarded_page(context, seen)
    seen.watch(page)
    await _navigate(page, target.address, seen, progress)
    if progress.interruption is not None:
        return
    await settle(page, seen)
    progress.mark("settle")
    await _observe(page, seen, progress)
    if visit.wants_screenshot(_observation(target.route, seen, progress)):
        await _photograph(page, progress)


async def _navigate(page: Page, address: str, seen: Collected, progress: _Progress) -> None:
    try:
        # "commit": a page that streams or waits for a script for ever must not look like one that never
        # answered
        await page.goto(address, wait_until="commit", timeout=0)
    except Error as exc:
        progress.mark("navigation")
        _explain(seen, progress, net_error(str(exc)))
        return
    progress.mark("navigation")
    if seen.refused_navigation is not None:
        progress.interrupt("refused_address", f"redirected to a refused address: {seen.refused_navigation}")


def _explain(seen: Collected, progress: _Progress, error: str) -> None:
    """Why a navigation did not arrive."""
    if seen.crashed:
        progress.interrupt("crashed", "the page crashed the browser")
    elif seen.refused_navigation is not None:
        progress.interrupt("refused_address", f"redirected to a refused address: {seen.refused_navigation}")
    elif seen.left_site is not None:
        progress.interrupt("off_site", f"the route leads to another site: {seen.left_site}")
    elif seen.downloads or _DOWNLOAD in error:
        progress.interrupt("navigation_failed", "the route answered with a download instead of a page")
    else:
        progress.interrupt("navigation_failed", error)


async def _observe(page: Page, seen: Collected, progress: _Progress) -> None:
    progress.state = await _state(page)
    with anyio.move_on_after(EXTRA_WAIT_S):
        while _unfinished(progress.state) and not seen.crashed:
            await anyio.sleep(POLL_S)
            progress.state = await _state(page)
    progress.withheld = await page.evaluate(_WITHHELD)
    progress.mark("observe")
    _conclude(page, seen, progress)
    progress.observed = True


def _unfinished(state: PageState) -> bool:
    return state.blank or signs.is_waiting(state.text, busy=state.busy)


async def _state(page: Page) -> PageState:
    script = files("codevetter_verify.browser").joinpath("page_state.js").read_text("utf-8")
    try:
        return PageState(**await page.evaluate(script))
    except Error as exc:
        if "context was destroyed" not in str(exc):  # the page navigated meanwhile: look at where it went
            raise
        await page.wait_for_load_state("load")
        return PageState(**await page.evaluate(script))


def _conclude(page: Page, seen: Collected, progress: _Progress) -> None:
    """Where the page ended up, scripts' navigations included."""
    if not seen.documents:
        progress.interrupt("navigation_failed", "no response to the navigation was seen")
        return
    last = seen.documents[-1]
    progress.navigation = Navigation(last.status, page.url[:2000], last.redirects, last.statements)
    if seen.left_site is not None:
        progress.interrupt("off_site", f"the page leads to another site: {seen.left_site}")
    elif not seen.is_first_party(page.url):
        progress.interrupt("off_site", f"the route leads to another site: {urlsplit(page.url).hostname}")


async def _photograph(page: Page, progress: _Progress) -> None:
    with anyio.move_on_after(SCREENSHOT_S):
        try:
            progress.screenshot = await page.screenshot(
                type="jpeg", quality=_JPEG_QUALITY, timeout=SCREENSHOT_S * 1000
            )
        except Error:
            return  # a receipt without a picture is still a receipt
        finally:
            progress.mark("screenshot")


def _first_party(visit: Visit) -> Callable[[str], bool]:
    def check(url: str) -> bool:
        try:
            host = urlsplit(url).hostname
        except ValueError:
            return False
        return host is not None and visit.is_own_host(host.removesuffix("."))

    return check


def _observation(route: str, seen: Collected, progress: _Progress) -> Observation:
    waited = monotonic() - progress.started
    if seen.crashed:
        progress.interrupt("crashed", "the page crashed the browser")
    return Observation(
        route=route,
        contained=_contained(seen, progress.withheld),
        timings=StageTimings(**progress.marks),
        duration_ms=round(waited * 1000),
        navigation=progress.navigation,
        state=progress.state,
        page_errors=tuple(seen.page_errors),
        console_errors=tuple(seen.console_errors),
        network=(*seen.network, *seen.missing(waited)),
        dropped_events=seen.dropped,
        interruption=progress.interruption,
        detail=progress.detail,
        screenshot=progress.screenshot,
    )


def _contained(seen: Collected, withheld: dict[str, int]) -> Contained:
    return Contained(
        requests=seen.refused_requests + withheld.get("requests", 0),
        addresses=seen.refused_addresses,
        sockets=withheld.get("sockets", 0),
        popups=seen.popups + withheld.get("popups", 0),
        dialogs=seen.dialogs,
        downloads=seen.downloads,
        apis=withheld.get("apis", 0),
    )
