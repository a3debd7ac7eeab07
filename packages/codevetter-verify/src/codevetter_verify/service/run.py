"""A run under way: what its stages share, and what its caller may choose."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from codevetter_verify.domain.visit import RUN_DEADLINE_S

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Awaitable, Callable, Sequence

    from codevetter_verify.domain.addresses import Gate
    from codevetter_verify.domain.findings import Findings
    from codevetter_verify.domain.observation import Observation
    from codevetter_verify.domain.pull_request import PullFacts
    from codevetter_verify.domain.records import Scope
    from codevetter_verify.domain.visit import BrowserFacts, Visit
    from codevetter_verify.models import RouteOutcome, Screenshots
    from codevetter_verify.service.permit import Permit
    from codevetter_verify.store.store import Store
    from oskit.git import Repository


class Visitor(Protocol):
    """Something that visits: Chromium, or a stand-in of a test."""

    async def visit(
        self,
        visit: Visit,
        *,
        started: Callable[[str], Awaitable[None]],
        observed: Callable[[Observation], Awaitable[None]],
    ) -> BrowserFacts:
        """Carry out the order; nothing of it runs any more when this returns or raises."""
        ...


class Watch(Protocol):
    """Somebody who looks on, route by route. What is told is not the verdict: that is the receipt's."""

    def planned(self, routes: Sequence[str]) -> None:
        """These are about to be visited."""

    def seen(self, route: str, outcome: RouteOutcome, duration_ms: int) -> None:
        """One was visited."""


@dataclass(frozen=True, slots=True)
class Options:
    """What the caller may choose beside the request.

    Patterns in `allowed_hosts` restrict previews and extend their site. `wait_s` is for how long a preview
    that is not live yet, or still shows another revision, is asked again; the run's deadline begins after it.
    `fetch` brings the head of a pull request that the clone lacks.
    """

    screenshots: Screenshots = "failures"
    allowed_hosts: tuple[str, ...] = ()
    run_deadline_s: float = RUN_DEADLINE_S
    wait_s: float = 0.0
    fetch: bool = False
    watch: Watch | None = None


@dataclass
class Run:
    """One run under way, as its stages see it."""

    run_id: str
    started_at: dt.datetime
    started: float
    scope: Scope
    repository: Repository
    findings: Findings
    store: Store
    browser: Visitor
    permit: Permit
    options: Options
    gate: Gate | None = None
    browser_identity: str | None = None
    pull: PullFacts | None = None
