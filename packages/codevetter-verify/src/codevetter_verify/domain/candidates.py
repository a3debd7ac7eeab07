"""From one changed path to the routes that may show it, nearest first, with the reason for each."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from codevetter_verify.domain.graph.nuxt import implicit_importers
from codevetter_verify.domain.graph.reach import MAX_REACHED, Reached, holders
from codevetter_verify.domain.routes.kinds import is_non_ui, is_test

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from codevetter_verify.domain.change import ChangedFile
    from codevetter_verify.domain.graph.modules import Modules
    from codevetter_verify.domain.hints import Hints
    from codevetter_verify.domain.routes.conventions import Conventions, Located

PathKind = Literal["page", "dynamic", "deleted", "non_ui", "not_mapped", "over_bound"]
MAX_NAMED = 3
"""Modules between a page and a changed file that a reason names."""

MAX_CANDIDATES = 40
"""Routes that are considered for one changed path; a root layout lies around every page."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A route that shows the changed path, `distance` imports away."""

    route: str
    distance: int
    reason: str
    project: str


@dataclass(frozen=True, slots=True)
class Mapped:
    """What a changed path leads to. `kind` and `reason` count where there are no candidates."""

    path: str
    kind: PathKind
    candidates: tuple[Candidate, ...] = ()
    reason: str | None = None
    direct: bool = False


@dataclass
class _Seen:
    """What the holders of one path are, besides pages."""

    candidates: dict[str, Candidate] = field(default_factory=dict)
    dynamic: list[str] = field(default_factory=list)
    endpoints: list[str] = field(default_factory=list)
    sometimes: list[str] = field(default_factory=list)
    users: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Mapper:
    """Maps changed paths of one tree. Without `modules`, imports were not searched, and `why` says why."""

    conventions: Conventions
    hints: Hints
    modules: Modules | None = None
    why: str = ""

    def map(self, file: ChangedFile) -> Mapped:
        """What becomes of one changed path."""
        if file.deleted:
            return Mapped(file.path, "deleted")
        if is_test(file.path):
            return Mapped(file.path, "non_ui")
        located = self.conventions.locate(file.path)
        if located is not None and located.match.kind == "api":
            return Mapped(file.path, "non_ui", reason=f"{located.match.framework} endpoint")
        if located is not None and located.match.kind in {"page", "dynamic"}:
            return self._page(file.path, located)
        return self._held(file.path)

    def _page(self, path: str, located: Located) -> Mapped:
        """A changed page, and the pages it lies around."""
        seen = _Seen()
        self._note(Reached(path, (path,)), seen)
        direct = located.match.kind == "page" or bool(self.hints.samples_of(located.match.pattern))
        return Mapped(
            path, "dynamic", tuple(seen.candidates.values()), located.match.reason or None, direct=direct
        )

    def _held(self, path: str) -> Mapped:
        seen = _Seen()
        for reached in self._holders(path):
            self._note(reached, seen)
            if len(seen.candidates) >= MAX_CANDIDATES:
                break
        if seen.candidates:
            ordered = sorted(
                seen.candidates.values(), key=lambda c: (c.distance, c.route.count("/"), c.route)
            )
            return Mapped(path, "page", tuple(ordered))
        return self._unrouted(path, seen)

    def _holders(self, path: str) -> Iterable[Reached]:
        if self.modules is None:
            return (Reached(path, (path,)),)
        return holders(path, self.modules, self._implicit)

    def _implicit(self, path: str) -> Iterable[str]:
        project = self.conventions.project_of(path)
        if project is None or self.modules is None or not self.conventions.configured(project, "nuxt"):
            return ()
        return implicit_importers(path, project, self.modules)

    def _note(self, reached: Reached, seen: _Seen) -> None:
        if reached.distance:
            seen.users.append(reached.path)
        located = self.conventions.locate(reached.path)
        if located is not None and located.match.kind == "api":
            seen.endpoints.append(reached.path)
        elif located is not None:
            self._add(reached.path, located, reached.distance, _chain(reached), seen)
        around = self.conventions.around(reached.path)
        if around is None:
            return
        if around.only_when:
            seen.sometimes.append(f"{reached.path} {around.only_when}")
        for page, at in around.pages[:MAX_CANDIDATES]:
            words = f"{_chain(reached, lies=True)}, {around.what} around {page}"
            self._add(page, at, reached.distance + 1, words, seen)

    def _add(self, page: str, at: Located, distance: int, words: str, seen: _Seen) -> None:
        if at.match.kind == "dynamic":
            samples = self.hints.samples_of(at.match.pattern)
            if not samples:
                seen.dynamic.append(f"{page}: {at.match.reason}")
            words = f"{words} (the owner declares this address for {at.match.pattern})"
            routes: Iterator[str] = iter(samples)
        else:
            if distance == 0:
                words = f"{at.match.framework} page {page} changed"
            routes = iter((at.match.route,) if at.match.route is not None else ())
        for route in routes:
            known = seen.candidates.get(route)
            if known is None or distance < known.distance:
                seen.candidates[route] = Candidate(route, distance, words, at.project)

    def _unrouted(self, path: str, seen: _Seen) -> Mapped:
        if seen.dynamic:
            return Mapped(path, "dynamic", reason=f"only dynamic pages show it; {seen.dynamic[0]}")
        if seen.endpoints:
            return Mapped(path, "non_ui", reason=f"only endpoints use it, such as {seen.endpoints[0]}")
        if seen.sometimes:
            return Mapped(path, "not_mapped", reason=seen.sometimes[0])
        if is_non_ui(path):
            return Mapped(path, "non_ui")
        reason = _no_page(seen.users) if self.modules is not None else self.why or None
        return Mapped(path, "not_mapped", reason=reason)


def _no_page(users: list[str]) -> str:
    if not users:
        return "no file imports it"
    if len(users) >= MAX_REACHED - 1:
        return f"{len(users)} files use it, and no page was found among them"
    return f"no page imports it, only {users[0]}" + (f" and {len(users) - 1} more" if len(users) > 1 else "")


def _chain(reached: Reached, *, lies: bool = False) -> str:
    """How the changed file comes to the one that was reached."""
    changed, between = reached.chain[-1], reached.chain[1:-1]
    if reached.distance == 0:
        return f"{changed} changed"
    named = ", ".join(between[:MAX_NAMED]) + (
        f" and {len(between) - MAX_NAMED} more" if len(between) > MAX_NAMED else ""
    )
    through = f" through {named}" if between else ""
    lazily = " on demand" if reached.dynamic else ""
    return (
        f"{changed} changed: {reached.path} imports it{lazily}{through}"
        if not lies or reached.distance
        else changed
    )
