"""Tells who follows a run of each route as soon as it was looked at, and once more if that changes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mcpkit.progress import report

if TYPE_CHECKING:
    from collections.abc import Sequence

    from codevetter_verify.domain.observation import Observation
    from codevetter_verify.models import RouteOutcome
    from codevetter_verify.service.run import Watch


class RoutesTold:
    """What was told of the routes. `stage` of `stages` is the one in which they are visited."""

    def __init__(self, watch: Watch | None, *, stage: int, stages: int) -> None:
        self._watch = watch
        self._stage, self._stages = stage, stages
        self._outcomes: dict[str, RouteOutcome] = {}
        self._total = 0
        self._reports = 0

    def planned(self, routes: Sequence[str]) -> None:
        """Note what will be visited."""
        self._total = len(routes)
        if self._watch is not None:
            self._watch.planned(routes)

    async def seen(self, seen: Observation, outcome: RouteOutcome) -> None:
        """Tell of a route, unless the same was told before."""
        if self._watch is not None:
            self._watch.seen(seen.route, outcome, seen.duration_ms)
        before = self._outcomes.get(seen.route)
        if before == outcome:
            return
        self._outcomes[seen.route] = outcome
        self._reports += 1
        done = self._stage + self._reports / (2 * self._total + 1)  # a route is told of twice at most
        await report(done, self._stages, self._words(seen.route, outcome, before))

    def _words(self, route: str, outcome: RouteOutcome, before: RouteOutcome | None) -> str:
        if before is not None:
            return f"{route} {outcome} after all"
        return f"visited {route}: {outcome} ({len(self._outcomes)} of {self._total})"
