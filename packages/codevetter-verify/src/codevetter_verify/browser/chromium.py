"""The browser as the service sees it: one order, one session, observations as they come."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from codevetter_verify.browser.find import find_browser

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from codevetter_verify.domain.observation import Observation
    from codevetter_verify.domain.visit import BrowserFacts, Visit


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
        """Carry out `visit`: `started` gets the identity of the browser's process, `observed` each route.

        Raises `BrowserMissingError` and `BrowserFailedError`. Every process is gone when this returns or
        raises.
        """
        executable = find_browser(self.executable)
        from codevetter_verify.browser.session import (
            hold_session,  # playwright: half a second, for visits only
        )

        return await hold_session(executable, visit, started=started, observed=observed)
