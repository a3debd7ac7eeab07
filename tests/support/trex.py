"""What tests of T-Rex share: a site's repository, a store, observations, and a visitor that is no browser."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from codevetter_verify.domain.observation import Navigation, Observation, PageState
from codevetter_verify.domain.revision import statements
from codevetter_verify.domain.visit import BrowserFacts
from codevetter_verify.models import Contained, SourceSelector, StageTimings, VerifyChangePreviewRequest
from codevetter_verify.service.scope import open_scope
from codevetter_verify.store.store import Store
from support.repos import GitRepo

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from pathlib import Path

    from codevetter_verify.domain.records import Scope
    from codevetter_verify.domain.visit import Visit

FACTS = BrowserFacts("no-browser", "0", "0", sandbox=True)


def widget(path: Path) -> GitRepo:
    """A site whose `feature` branch changes `/about` and a file that is no page."""
    repo = GitRepo.create(path)
    repo.write("web/src/pages/index.html", "<h1>Widget</h1>").commit("first")
    repo.branch("feature").write("web/src/pages/about.html", "<h1>About</h1>").write(
        "README.md", "about"
    ).commit("about")
    return repo


def request_for(preview: str, range_: str = "main..feature") -> VerifyChangePreviewRequest:
    """What a caller asks."""
    return VerifyChangePreviewRequest(source=SourceSelector(kind="range", value=range_), preview_url=preview)


@dataclass(frozen=True)
class Place:
    """Where a run happens."""

    repo: GitRepo
    store: Store
    scope: Scope


async def place(tmp_path: Path) -> Place:
    """A repository, an empty store beside it, and the scope of the one in the other."""
    repo = widget(tmp_path / "widget")
    return Place(repo, await Store.open(tmp_path / "home"), await open_scope(repo.path))


def observation(route: str = "/", **changes: Any) -> Observation:
    """A flawless visit, but for `changes`."""
    seen = Observation(
        route=route,
        contained=Contained(),
        timings=StageTimings(),
        duration_ms=5,
        navigation=Navigation(200, f"http://preview.example{route}"),
        state=PageState(title="Widget", text="All about the widget", heading="Widget"),
    )
    return replace(seen, **changes)


@dataclass
class StandIn:
    """Visits without a browser: every route as `seen` says, flawless by default. Remembers its orders."""

    seen: dict[str, Callable[[Observation], Observation]] = field(default_factory=dict)
    orders: list[Visit] = field(default_factory=list)
    during: Callable[[], Awaitable[None]] | None = None
    facts: BrowserFacts = FACTS
    revision: str | None = None

    async def visit(
        self,
        visit: Visit,
        *,
        started: Callable[[str], Awaitable[None]],
        observed: Callable[[Observation], Awaitable[None]],
    ) -> BrowserFacts:
        """Report every target as observed."""
        del started
        self.orders.append(visit)
        for target in visit.targets:
            stated = statements({"x-commit-sha": [self.revision]} if self.revision else {})
            plain = observation(target.route, navigation=Navigation(200, target.address, (), stated))
            change = self.seen.get(target.route)
            await observed(change(plain) if change else plain)
            if self.during is not None:
                await self.during()
        return self.facts
