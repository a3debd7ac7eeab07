"""What a run has found so far. Mutable, and nothing else is: from it a receipt can be made at any moment."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from codevetter_verify.domain.control import compare
from codevetter_verify.domain.counting import counted
from codevetter_verify.domain.hints import FILE
from codevetter_verify.domain.judge import Judgement, judge
from codevetter_verify.domain.plan import RoutePlan
from codevetter_verify.domain.redaction import Redactor
from codevetter_verify.domain.revision import identify
from codevetter_verify.domain.verdict import RunCause

if TYPE_CHECKING:
    from codevetter_verify.domain.change import Change
    from codevetter_verify.domain.observation import Observation
    from codevetter_verify.domain.order import Order
    from codevetter_verify.domain.preview_url import PreviewUrl
    from codevetter_verify.domain.probe import Probe
    from codevetter_verify.domain.revision import Identity
    from codevetter_verify.domain.visit import BrowserFacts
    from codevetter_verify.models import Artifact


@dataclass(frozen=True, slots=True)
class Visited:
    """An observation, its judgement, and the picture that was kept of it."""

    seen: Observation
    judgement: Judgement
    screenshot: Artifact | None = None


@dataclass
class Findings:
    """Everything established about one order."""

    order: Order
    change: Change | None = None
    plan: RoutePlan = field(default_factory=lambda: RoutePlan((), ()))
    probe: Probe | None = None
    identity: Identity | None = None
    visited: dict[str, Visited] = field(default_factory=dict)
    browser: BrowserFacts | None = None
    causes: dict[RunCause, str] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)

    @property
    def redactor(self) -> Redactor:
        """What keeps the preview's query values out of everything kept."""
        return Redactor.of_query(self.order.preview.query)

    def end(self, cause: RunCause, words: str) -> None:
        """Note why the run is incomplete; the first words for a cause count."""
        self.causes.setdefault(cause, words)

    def base(self) -> PreviewUrl:
        """What routes are joined to: the preview's path at the origin that answered.

        The owner's base path comes below it.
        """
        preview, below = self.order.preview, self.plan.hints.base_path
        if below and not preview.path.rstrip("/").endswith(below):
            preview = replace(preview, path=preview.path.rstrip("/") + below)
        if self.probe is None or self.probe.final.same_origin(preview):
            return preview
        final = self.probe.final
        return type(preview)(final.scheme, final.host, final.port, preview.path)

    def pass_cookies(self) -> tuple[tuple[str, str], ...]:
        """What the preview gave for its query, to be shown by every route; nothing without a query."""
        return self.probe.cookies if self.probe is not None and self.order.preview.query else ()

    def judge(self, seen: Observation) -> Judgement:
        """The judgement of an observation of one of the planned routes."""
        hints, asked = self.plan.hints, self.base().for_route(seen.route)
        kept = tuple(error for error in seen.console_errors if not hints.ignores(error.text))
        heard = replace(seen, console_errors=kept)
        judgement = judge(heard, requested_path=asked.path, requested_host=asked.host)
        if len(kept) == len(seen.console_errors):
            return judgement
        ignored = f"{counted(len(seen.console_errors) - len(kept), 'console error')} ignored, as {FILE} says"
        return replace(judgement, limitations=(*judgement.limitations, ignored))

    def settle(self, control: Observation) -> None:
        """Judge again the routes that look like `control`, a path that does not exist."""
        for route, visited in self.visited.items():
            judgement = compare(visited.seen, visited.judgement, control)
            self.visited[route] = replace(visited, judgement=judgement)

    def add(self, visited: Visited) -> None:
        """Note a visit, and whether its answer was of another revision than the head."""
        self.visited[visited.seen.route] = visited
        navigation = visited.seen.navigation
        if navigation is None or self.change is None:
            return
        stated = identify(self.change.head_sha, navigation.statements, visited.seen.metas)
        if stated.status == "mismatch":
            self.end(
                RunCause.REVISION_CHANGED,
                f"{visited.seen.route} answered with another revision: {stated.evidence}",
            )
