"""The browser as the service sees it: one order, one session, observations as they come."""

from __future__ import annotations

from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from codevetter_verify.browser.endpoint import BrowserEndpoint, configured_endpoint
from codevetter_verify.browser.find import find_browser
from codevetter_verify.errors import BrowserFailedError

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable
    from pathlib import Path

    from codevetter_verify.browser.ahead import DriverAhead
    from codevetter_verify.domain.observation import Observation
    from codevetter_verify.domain.visit import BrowserFacts, Visit


@dataclass(frozen=True)
class ChromiumVisitor:
    """Visits with a Chromium of this machine, or with the one at CODEVETTER_BROWSER_ENDPOINT.

    `executable` names one of this machine and comes first; else the usual places are searched. `flags` are
    given to a browser that we start, `driver` is one that was started ahead.
    """

    executable: str | None = None
    endpoint: BrowserEndpoint | None = None
    flags: tuple[str, ...] = ()
    driver: DriverAhead | None = None

    @asynccontextmanager
    async def ahead(self) -> AsyncIterator[ChromiumVisitor]:
        """The same visitor for one visit within this block, with what it needs already on its way.

        Nothing is started before the block first waits for something.
        """
        if not self._starts_one():
            yield self
            return
        from codevetter_verify.browser.ahead import driver_ahead  # playwright, as below

        async with driver_ahead() as driver:
            yield replace(self, driver=driver)

    async def visit(
        self,
        visit: Visit,
        *,
        started: Callable[[str], Awaitable[None]],
        observed: Callable[[Observation], Awaitable[None]],
    ) -> BrowserFacts:
        """Carry out `visit`: `started` gets the identity of the browser's process, `observed` each route.

        Raises `BrowserMissingError` and `BrowserFailedError`. Every process that was started is gone when
        this returns or raises.
        """
        where = self._where()
        if isinstance(where, BrowserEndpoint) and not where.is_here and visit.on_this_machine:
            raise BrowserFailedError(
                f"the browser at {where.host} cannot open a preview of this machine; unset "
                "CODEVETTER_BROWSER_ENDPOINT, or give an address that it can reach"
            )
        from codevetter_verify.browser.session import (
            hold_session,  # playwright: half a second, for visits only
        )

        return await hold_session(
            where, visit, flags=self.flags, ahead=self.driver, started=started, observed=observed
        )

    def _starts_one(self) -> bool:
        try:
            return self._named() is None
        except BrowserFailedError:
            return False  # the visit says what is wrong

    def _where(self) -> Path | BrowserEndpoint:
        return self._named() or find_browser(self.executable)

    def _named(self) -> BrowserEndpoint | None:
        """The browser server to visit with, where there is one."""
        return None if self.executable is not None else self.endpoint or configured_endpoint()
