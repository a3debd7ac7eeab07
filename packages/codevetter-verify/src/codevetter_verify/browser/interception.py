"""Decides over every request of the browser before it leaves, TLS or not.

One CDP session with the browser itself, not with a page: it hears of every target's requests, those of
frames, pop-ups and workers of all kinds, and of every hop of a redirect, which Playwright's own interception
does not. What it refuses fails in the page as `BLOCKED_BY_CLIENT`, which is how `collect` counts it.
"""

from __future__ import annotations

from contextlib import asynccontextmanager, suppress
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import anyio
from playwright.async_api import Error

from codevetter_verify.browser.wire import SAFE_METHODS, endpoint_of_url
from codevetter_verify.errors import AddressRefusedError, HostUnknownError

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from playwright.async_api import Browser, CDPSession

    from codevetter_verify.browser.collect import Collected
    from codevetter_verify.domain.addresses import Gate

_WEB = frozenset({"http", "https"})


class Interception:
    """The decisions of one run. `checks_addresses` where no proxy of ours does."""

    def __init__(self, session: CDPSession, gate: Gate, *, checks_addresses: bool) -> None:
        self._session = session
        self._gate = gate
        self._checks_addresses = checks_addresses
        self._opening = anyio.Lock()
        self._awaited: Collected | None = None
        self._contexts: set[str] = set()
        self._pages: dict[str, Collected] = {}
        self._popups: set[str] = set()

    @classmethod
    async def of(cls, browser: Browser, gate: Gate, *, checks_addresses: bool) -> Interception:
        """Begin to decide; pages that are opened from now on cannot send what is not allowed."""
        session = await browser.new_browser_cdp_session()
        made = cls(session, gate, checks_addresses=checks_addresses)
        session.on("Target.targetCreated", made._on_target)
        session.on("Fetch.requestPaused", made._on_paused)
        await session.send("Fetch.enable", {"patterns": [{"urlPattern": "*"}]})
        await session.send("Target.setDiscoverTargets", {"discover": True})
        return made

    @asynccontextmanager
    async def opening(self, seen: Collected) -> AsyncIterator[None]:
        """Make a fresh context's one page within this block; every later one in that context is a pop-up."""
        async with self._opening:
            self._awaited = seen
            try:
                yield
            finally:
                self._awaited = None

    def _on_target(self, event: dict[str, Any]) -> None:
        info = event["targetInfo"]
        if info["type"] != "page":
            return
        context = info.get("browserContextId", "")
        if context in self._contexts:
            self._popups.add(info["targetId"])
        elif self._awaited is not None:
            self._contexts.add(context)
            self._pages[info["targetId"]] = self._awaited  # a page's target has the id of its main frame

    async def _on_paused(self, event: dict[str, Any]) -> None:
        answer = {"requestId": event["requestId"]}
        allowed = await self._allows(event)
        with suppress(Error):  # the browser may be gone by the time we answer
            if allowed:
                await self._session.send("Fetch.continueRequest", answer)
            else:
                await self._session.send("Fetch.failRequest", {**answer, "errorReason": "BlockedByClient"})

    async def _allows(self, event: dict[str, Any]) -> bool:
        request, frame = event["request"], event.get("frameId", "")
        if request["method"] not in SAFE_METHODS or frame in self._popups:
            return False
        url = request["url"]
        if urlsplit(url).scheme not in _WEB:
            return True
        if event.get("resourceType") == "Document" and frame in self._pages:
            seen = self._pages[frame]
            if not seen.is_first_party(url):
                await self._note_departure(url, seen)
                return False
        return not self._checks_addresses or await self._admits(url)

    async def _note_departure(self, url: str, seen: Collected) -> None:
        """A page that leads to another site, which is refused whether or not its address would be."""
        host = urlsplit(url).hostname or "another site"
        if not _is_address(host):
            seen.left_site = host
            return
        try:
            await self._gate.admit(endpoint_of_url(url))
            seen.left_site = host
        except AddressRefusedError as exc:
            seen.refuse_navigation(str(exc))
        except HostUnknownError:
            seen.left_site = host

    async def _admits(self, url: str) -> bool:
        try:
            await self._gate.admit(endpoint_of_url(url))
        except (AddressRefusedError, HostUnknownError):
            return False
        return True


def _is_address(host: str) -> bool:
    return ":" in host or host.replace(".", "").isdigit()
