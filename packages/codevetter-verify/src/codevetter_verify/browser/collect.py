"""Listens to one page and keeps bounded facts of what happened on it."""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeVar

import anyio
from playwright.async_api import Error as PlaywrightError

from codevetter_verify.browser.wire import REFUSED_HEADER, SAFE_METHODS, endpoint_of_url
from codevetter_verify.domain.observation import Navigation, NetworkProblem, ScriptError
from codevetter_verify.domain.revision import HEADERS, statements
from codevetter_verify.domain.signs import is_hydration_error
from oskit.clock import monotonic

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.async_api import ConsoleMessage, Error, Page, Request, Response

    from codevetter_verify.domain.addresses import Endpoint

MAX_EVENTS = 20
"""Of each kind; what comes after is only counted."""
MAX_TEXT = 2000
MAX_WEIGHED = 1000
"""Responses of one page whose size is asked for."""
FLOOD = 200
"""Lines on the console after which nobody listens to it any more."""
_ERROR_STATUS = 400
_NET_ERROR = re.compile(r"net::ERR_[A-Z_]+")
_BROWSERS_OWN = "Failed to load resource"
_POSITION = re.compile(r"(?P<url>https?://\S+?):(?P<line>\d+):(?P<column>\d+)")
_OUR_ABORT = "net::ERR_BLOCKED_BY_CLIENT"
_ABANDONED = "net::ERR_ABORTED"
T = TypeVar("T")
AWAITED = frozenset({"document", "script", "stylesheet", "fetch", "xhr"})


@dataclass
class Collected:
    """What one page did; `activity` is set at every change and replaced by whoever waited for it."""

    is_first_party: Callable[[str], bool]
    refusal: Callable[[Endpoint], str | None]
    page_errors: list[ScriptError] = field(default_factory=list)
    console_errors: list[ScriptError] = field(default_factory=list)
    network: list[NetworkProblem] = field(default_factory=list)
    documents: list[Navigation] = field(default_factory=list)
    pending: dict[Request, str] = field(default_factory=dict)
    navigations: int = 0
    dropped: int = 0
    refused_addresses: int = 0
    refused_requests: int = 0
    refused_navigation: str | None = None
    left_site: str | None = None
    dialogs: int = 0
    popups: int = 0
    downloads: int = 0
    crashed: bool = False
    responses: int = 0
    transferred: int = 0
    stirs: int = 0
    stirred_at: float = 0.0
    console_lines: int = 0
    activity: anyio.Event = field(default_factory=anyio.Event)

    def watch(self, page: Page) -> None:
        """Start listening."""
        page.on("request", self._on_request)
        page.on("requestfinished", self._on_finished)
        page.on("requestfinished", self._weigh)
        page.on("requestfailed", lambda request: self._on_failed(request, page))
        page.on("response", lambda response: self._on_response(response, page))
        page.on("pageerror", self._on_page_error)
        page.on("console", self._listen_to_console(page))
        page.on("crash", self._on_crash)

    def missing(self, after_s: float) -> list[NetworkProblem]:
        """First-party scripts and styles that have not arrived.

        A fetch may be a long poll and is not missed.
        """
        return [
            NetworkProblem(
                request.url[:MAX_TEXT], kind, f"did not arrive within {after_s:.0f} s", first_party=True
            )
            for request, kind in self.pending.items()
            if kind in {"script", "stylesheet"} and self.is_first_party(request.url)
        ][:MAX_EVENTS]

    def refuse_navigation(self, reason: str) -> None:
        """Note that the page was to go to an address that a visit may not open."""
        self.refused_addresses += 1
        self.refused_navigation = reason

    def _stir(self) -> None:
        self.stirs += 1
        self.stirred_at = monotonic()
        self.activity.set()

    def _keep(self, kept: list[T], event: T) -> None:
        if len(kept) < MAX_EVENTS:
            kept.append(event)
        else:
            self.dropped += 1

    def _on_request(self, request: Request) -> None:
        if request.resource_type in AWAITED:
            self.pending[request] = request.resource_type
        self._stir()

    def _on_finished(self, request: Request) -> None:
        self.pending.pop(request, None)
        self._stir()

    async def _weigh(self, request: Request) -> None:
        """Add what a response took on the wire, as the browser's network stack counts it."""
        self.responses += 1
        if self.responses > MAX_WEIGHED:
            self.dropped += self.responses == MAX_WEIGHED + 1
            return
        with suppress(PlaywrightError):  # the page may be gone by now
            sizes = await request.sizes()
            self.transferred += max(sizes["responseHeadersSize"], 0) + max(sizes["responseBodySize"], 0)

    def _on_failed(self, request: Request, page: Page) -> None:
        self._on_finished(request)
        detail = request.failure or "failed"
        if _OUR_ABORT in detail:
            self.refused_requests += request.method not in SAFE_METHODS
            return
        refused = self.refusal(endpoint_of_url(request.url))
        if refused is not None:
            self._refused(request, page, refused)
        elif (
            detail != _ABANDONED
        ):  # the page itself gave the request up, by a navigation or an AbortController
            problem = NetworkProblem(
                request.url[:MAX_TEXT], request.resource_type, detail, self.is_first_party(request.url)
            )
            self._keep(self.network, problem)

    def _refused(self, request: Request, page: Page, reason: str) -> None:
        if request.is_navigation_request() and request.frame == page.main_frame:
            self.refuse_navigation(reason)
        else:
            self.refused_addresses += 1

    def _on_response(self, response: Response, page: Page) -> None:
        self._stir()
        request = response.request
        reason = response.headers.get(REFUSED_HEADER)
        if reason is not None:
            self._on_refused_response(request, page, reason)
        elif request.is_navigation_request() and request.frame == page.main_frame:
            self.navigations += 1
            self.documents = [_navigation(response)]  # a page may reload itself for ever
        elif response.status >= _ERROR_STATUS:
            kind = request.resource_type
            detail = f"status {response.status}"
            self._keep(
                self.network,
                NetworkProblem(response.url[:MAX_TEXT], kind, detail, self.is_first_party(response.url)),
            )

    def _on_refused_response(self, request: Request, page: Page, reason: str) -> None:
        if self.refusal(endpoint_of_url(request.url)) is not None:
            self._refused(request, page, reason)
        else:
            self.refused_requests += 1

    def _on_page_error(self, error: Error) -> None:
        self._stir()
        text = f"{error.name}: {error.message}" if error.name else error.message
        match = _POSITION.search((error.stack or "")[: MAX_TEXT * 4])
        url = match["url"] if match else ""
        line, column = (int(match["line"]), int(match["column"])) if match else (0, 0)
        event = ScriptError(
            text[:MAX_TEXT], url[:MAX_TEXT], line, column, not url or self.is_first_party(url)
        )
        self._keep(self.page_errors, event)

    def _listen_to_console(self, page: Page) -> Callable[[ConsoleMessage], None]:
        """Hear the console until it floods us, which would starve the other pages of the run."""

        def listen(message: ConsoleMessage) -> None:
            self.console_lines += 1
            if self.console_lines == FLOOD:
                page.remove_listener("console", listen)
            self._on_console(message)

        return listen

    def _on_console(self, message: ConsoleMessage) -> None:
        if message.type == "error":
            if message.text.startswith(_BROWSERS_OWN):
                return  # the browser's own line about a request: the request itself is observed
        elif not (message.type == "warning" and is_hydration_error(message.text[:MAX_TEXT])):
            return
        self._stir()
        place = message.location
        url = str(place.get("url", ""))
        first_party = not url.startswith("http") or self.is_first_party(url)
        event = ScriptError(
            message.text[:MAX_TEXT],
            url[:MAX_TEXT],
            place.get("lineNumber", 0) + 1,
            place.get("columnNumber", 0) + 1,
            first_party,
        )
        self._keep(self.console_errors, event)

    def _on_crash(self, _page: object) -> None:
        self.crashed = True
        self._stir()


def _navigation(response: Response) -> Navigation:
    hops: list[str] = []
    request = response.request.redirected_from
    while request is not None:
        hops.insert(0, request.url[:MAX_TEXT])
        request = request.redirected_from
    named = {name: [value] for name, value in response.headers.items() if name in HEADERS}
    return Navigation(response.status, response.url[:MAX_TEXT], tuple(hops), statements(named))


def net_error(text: str) -> str:
    """The browser's name of a network error in a message of Playwright, else the message's first line."""
    found = _NET_ERROR.search(text)
    return found[0] if found else text.split("\n", 1)[0][:200]
