"""Visits one route once and returns what was seen."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import anyio
from playwright.async_api import Error

from codevetter_verify.browser.collect import Collected, net_error
from codevetter_verify.browser.guard import contain, give_cookies, guarded_context
from codevetter_verify.browser.looking import look, photograph
from codevetter_verify.browser.progress import Progress
from codevetter_verify.browser.settle import (
    GLANCE_S,
    LOAD_S,
    QUIET_S,
    SETTLE_S,
    TURN_S,
    UNLOADED_SETTLE_S,
    loaded,
    settle,
)
from codevetter_verify.domain.observation import MOST_NAVIGATIONS, Navigation, keeps_loading
from oskit.clock import monotonic

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.async_api import Browser, Page, ProxySettings

    from codevetter_verify.browser.interception import Interception
    from codevetter_verify.browser.together import Together, Turn
    from codevetter_verify.domain.observation import Observation
    from codevetter_verify.domain.visit import RouteVisit, Visit

_DOWNLOAD = "Download is starting"


@dataclass(frozen=True, slots=True)
class Session:
    """What the routes of one run share.

    `proxy` is set where contexts must name it themselves; without one anywhere, there are no workers.
    """

    browser: Browser
    interception: Interception
    visit: Visit
    together: Together
    proxy: ProxySettings | None = None
    workers: bool = True


async def visit_route(session: Session, target: RouteVisit) -> Observation:
    """Visit `target` in a context of its own, within the route's deadline, which begins with its turn.

    Never raises for what the page does.
    """
    async with session.together.turn() as turn:
        return await _Journey(session, target).take(turn)


class _Journey:
    """One route's way from an empty page to an observation."""

    def __init__(self, session: Session, target: RouteVisit) -> None:
        self._session = session
        self._target = target
        self._seen = Collected(_first_party(session.visit), session.visit.gate.refusal)
        self._progress = Progress()
        self._waited_for = True

    async def take(self, turn: Turn) -> Observation:
        progress, visit = self._progress, self._session.visit
        with anyio.move_on_after(visit.route_deadline_s) as scope:
            try:
                await self._travel(turn)
            except Error as exc:
                self._give_up(net_error(str(exc)))
            finally:
                self._settled()
        if scope.cancelled_caught and not progress.observed:  # a picture that came too late is only a picture
            progress.interrupt("deadline", f"the page was not observed within {visit.route_deadline_s:g} s")
        return self._observation()

    def _give_up(self, error: str) -> None:
        """A page could not be looked at: it never stays, or the browser is gone."""
        if self._seen.navigations > MOST_NAVIGATIONS:
            self._progress.interrupt("navigation_failed", keeps_loading(self._seen.navigations))
        self._progress.interrupt("crashed", f"the browser gave up: {error}")

    def _observation(self) -> Observation:
        return self._progress.observation(self._target.route, self._seen)

    def _settled(self) -> None:
        if self._waited_for:
            self._waited_for = False
            self._session.together.settled()

    async def _travel(self, turn: Turn) -> None:
        page = await self._open()
        await self._navigate(page)
        if self._progress.interruption is not None:
            return
        arrived = await loaded(page, within_s=TURN_S)
        turn.give_up()
        arrived = arrived or await loaded(page, within_s=LOAD_S - TURN_S)
        self._progress.watch_from_now(loaded=arrived)
        await self._observe(page, within_s=SETTLE_S if arrived else UNLOADED_SETTLE_S)
        await self._watch_on(page)

    async def _open(self) -> Page:
        session = self._session
        # over TLS a worker's WebSocket can travel inside an HTTP/2 connection (RFC 8441), unseen
        workers = session.workers and not self._target.address.startswith("https:")
        context = await guarded_context(session.browser, proxy=session.proxy, workers=workers)
        if session.visit.cookies:
            await give_cookies(context, session.visit.cookies, self._target.address)
        async with session.interception.opening(self._seen):
            page = await context.new_page()
        contain(context, page, self._seen)
        self._seen.watch(page)
        return page

    async def _navigate(self, page: Page) -> None:
        try:
            # "commit": a page that streams or waits for a script for ever must not look like one that never
            # answered
            await page.goto(self._target.address, wait_until="commit", timeout=0)
        except Error as exc:
            self._explain(net_error(str(exc)))
        self._progress.mark("navigation")
        self._check_refusal()

    def _check_refusal(self) -> None:
        refused = self._seen.refused_navigation
        if refused is not None:
            self._progress.interrupt("refused_address", f"redirected to a refused address: {refused}")

    def _explain(self, error: str) -> None:
        """Why a navigation did not arrive."""
        seen, progress = self._seen, self._progress
        self._check_refusal()
        if seen.crashed:
            progress.interrupt("crashed", "the page crashed the browser")
        elif seen.left_site is not None:
            progress.interrupt("off_site", f"the route leads to another site: {seen.left_site}")
        elif seen.downloads or _DOWNLOAD in error:
            progress.interrupt("navigation_failed", "the route answered with a download instead of a page")
        else:
            progress.interrupt("navigation_failed", error)

    async def _observe(self, page: Page, *, within_s: float) -> None:
        """Look at the page and take its picture while it is watched, then look again once it has settled."""
        progress, seen = self._progress, self._seen
        begun = monotonic()
        await settle(seen, quiet_s=GLANCE_S, bound_s=within_s)
        progress.mark("settle")
        await self._look(page)
        await settle(seen, bound_s=max(QUIET_S, begun + within_s - monotonic()), since=begun)
        progress.mark("settle")
        await self._look(page)
        progress.observed = True
        await self._session.visit.looked(self._observation())

    async def _watch_on(self, page: Page) -> None:
        """Go on watching a settled page while other routes settle."""
        self._settled()
        await self._session.together.others()
        self._progress.mark("watch")
        if not self._seen.crashed:
            await self._look(page)

    async def _look(self, page: Page) -> None:
        """Take down what is shown, with the picture that is wanted unless it would be the same one again."""
        progress, seen = self._progress, self._seen
        before = (progress.state, len(seen.page_errors))
        await look(page, seen, progress)
        self._conclude(page)
        progress.mark("observe")
        changed = before != (progress.state, len(seen.page_errors))
        if (changed or progress.screenshot is None) and self._wants_picture():
            await photograph(page, progress)

    def _wants_picture(self) -> bool:
        return self._session.visit.wants_screenshot(self._observation())

    def _conclude(self, page: Page) -> None:
        """Where the page ended up, scripts' navigations included."""
        seen, progress = self._seen, self._progress
        if not seen.documents:
            progress.interrupt("navigation_failed", "no response to the navigation was seen")
            return
        last = seen.documents[-1]
        progress.navigation = Navigation(last.status, page.url[:2000], last.redirects, last.statements)
        self._check_refusal()
        if seen.left_site is not None:
            progress.interrupt("off_site", f"the page leads to another site: {seen.left_site}")
        elif not page.url.startswith(("http:", "https:")):
            self._explain_nowhere(page.url)
        elif not seen.is_first_party(page.url):
            host = urlsplit(page.url).hostname
            progress.interrupt("off_site", f"the route leads to another site: {host}")

    def _explain_nowhere(self, url: str) -> None:
        """A page that left itself for no address of the web."""
        if self._seen.refused_requests:
            self._progress.interrupt("withheld", "the page leads to a request that T-Rex withholds")
        elif url.startswith("chrome-error:"):
            self._progress.interrupt("navigation_failed", "the page leads to an address that did not answer")
        else:
            self._progress.interrupt("navigation_failed", f"the page left itself for {url[:80]}")


def _first_party(visit: Visit) -> Callable[[str], bool]:
    def check(url: str) -> bool:
        try:
            host = urlsplit(url).hostname
        except ValueError:
            return False
        return host is not None and visit.is_own_host(host.removesuffix("."))

    return check
