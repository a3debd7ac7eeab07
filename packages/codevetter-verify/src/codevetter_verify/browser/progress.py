"""What one visit knows so far, so that a visit cut short still reports it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from codevetter_verify.domain.observation import Observation
from codevetter_verify.models import Contained, StageTimings
from oskit.clock import monotonic

if TYPE_CHECKING:
    from codevetter_verify.browser.collect import Collected
    from codevetter_verify.domain.observation import Interruption, Navigation, PageState


@dataclass
class Progress:
    """The course of one visit; times are seconds of the monotonic clock."""

    started: float = field(default_factory=monotonic)
    marks: dict[str, int] = field(default_factory=dict)
    state: PageState | None = None
    withheld: dict[str, int] = field(default_factory=dict)
    navigation: Navigation | None = None
    interruption: Interruption | None = None
    detail: str = ""
    screenshot: bytes | None = None
    observed: bool = False
    last: float = 0.0
    loaded: bool = False
    watched_from: float | None = None

    def mark(self, stage: str) -> None:
        """Add the milliseconds since the last mark to `stage`."""
        now = monotonic()
        self.marks[stage] = self.marks.get(stage, 0) + round((now - (self.last or self.started)) * 1000)
        self.last = now

    def interrupt(self, why: Interruption, detail: str) -> None:
        """Note why the visit ends early; the first reason counts."""
        if self.interruption is None:
            self.interruption, self.detail = why, detail

    def watch_from_now(self, *, loaded: bool) -> None:
        """Note that the page has loaded, or that it was no longer waited for."""
        self.loaded = loaded
        self.watched_from = monotonic()

    def observation(self, route: str, seen: Collected) -> Observation:
        """Everything known, as facts."""
        waited = monotonic() - self.started
        if seen.crashed:
            self.interrupt("crashed", "the page crashed the browser")
        return Observation(
            route=route,
            contained=_contained(seen, self.withheld),
            timings=StageTimings(**self.marks),
            duration_ms=round(waited * 1000),
            navigation=self.navigation,
            state=self.state,
            page_errors=tuple(seen.page_errors),
            console_errors=tuple(seen.console_errors),
            network=(*seen.network, *seen.missing(waited)),
            dropped_events=seen.dropped,
            navigations=seen.navigations,
            transferred_bytes=seen.transferred if seen.responses else None,
            interruption=self.interruption,
            detail=self.detail,
            screenshot=self.screenshot,
            loaded=self.loaded,
            watched_ms=self._watched(),
        )

    def _watched(self) -> int | None:
        if self.watched_from is None:
            return None
        return round((monotonic() - self.watched_from) * 1000)


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
