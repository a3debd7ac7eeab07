"""The order for a browser: what to open, by which rules.

Given to `browser/`, which knows nothing else of a run.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from codevetter_verify.domain.hosts import host_matches, same_site

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from codevetter_verify.domain.addresses import Gate
    from codevetter_verify.domain.observation import Observation

ROUTE_DEADLINE_S = 20.0
RUN_DEADLINE_S = 90.0
CONCURRENT_ROUTES = 3


@dataclass(frozen=True, slots=True)
class RouteVisit:
    """A route and the address to open for it."""

    route: str
    address: str = field(repr=False)


async def tell_nobody(_seen: Observation) -> None:
    """What a visit does with a first look that nobody asked for."""


@dataclass(frozen=True, slots=True)
class Visit:
    """Everything one browser session needs.

    `own_hosts` are host patterns that count as the preview's site beside that site itself. `looked` is told
    of each route once it has settled, while it is still watched for what comes late. `cookies` are names and
    values that the preview gave for its query, for its own origin only.
    """

    targets: tuple[RouteVisit, ...]
    own_hosts: tuple[str, ...]
    gate: Gate
    wants_screenshot: Callable[[Observation], bool]
    looked: Callable[[Observation], Awaitable[None]] = tell_nobody
    route_deadline_s: float = ROUTE_DEADLINE_S
    concurrent: int = CONCURRENT_ROUTES
    cookies: tuple[tuple[str, str], ...] = field(default=(), repr=False)

    @property
    def on_this_machine(self) -> bool:
        """Whether the preview is named by a loopback address, which means another machine elsewhere."""
        hosts = self._hosts()
        return any(host in {"localhost", "::1"} or host.startswith("127.") for host in hosts)

    def is_own_host(self, host: str) -> bool:
        """Whether a host belongs to the preview's site."""
        if any(host_matches(pattern, host) for pattern in self.own_hosts):
            return True
        return any(same_site(host, own) for own in self._hosts())

    def _hosts(self) -> set[str]:
        """The hosts to visit, which are one."""
        return {urlsplit(target.address).hostname or "" for target in self.targets}


@dataclass(frozen=True, slots=True)
class BrowserFacts:
    """What the visit was made with, and whether everything of it ended.

    `remote_host` is set when the browser was not started here.
    """

    browser: str
    browser_version: str
    playwright_version: str
    sandbox: bool
    cleaned_up: bool = True
    remote_host: str | None = None
