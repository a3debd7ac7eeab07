"""The bounded, deterministic plan: which routes a run visits, and what each changed path is to them."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from codevetter_verify.domain.candidates import Candidate, Mapped, Mapper, PathKind
from codevetter_verify.domain.graph.aliases import CONFIGURATION
from codevetter_verify.domain.graph.modules import Modules
from codevetter_verify.domain.graph.resolve import Resolver
from codevetter_verify.domain.hints import FILE, Hints, read_hints
from codevetter_verify.domain.routes.conventions import Conventions
from codevetter_verify.domain.sources import Sources

if TYPE_CHECKING:
    from collections.abc import Sequence

    from codevetter_verify.domain.change import Change

MAX_ROUTES = 6
ENTRY = "/"
ENTRY_REASON = "the entry page, always visited first"


@dataclass(frozen=True, slots=True)
class PathRole:
    """What one changed path means for the plan.

    `route` is the nearest planned route that shows it; `also` are the other planned ones, with their reasons.
    """

    path: str
    kind: PathKind
    route: str | None = None
    reason: str | None = None
    project: str = ""
    also: tuple[tuple[str, str], ...] = ()
    direct: bool = True


@dataclass(frozen=True, slots=True)
class RoutePlan:
    """Routes with their reasons, in the order they are visited, and the role of every changed path.

    `notes` are limitations of the plan as a whole.
    """

    routes: tuple[tuple[str, str], ...]
    roles: tuple[PathRole, ...]
    hints: Hints = field(default_factory=Hints)
    notes: tuple[str, ...] = ()

    @property
    def projects(self) -> tuple[str, ...]:
        """The project folders that the planned pages come from."""
        return tuple(sorted({role.project for role in self.roles if role.kind == "page"}))


def plan_routes(change: Change, sources: Sources | None = None) -> RoutePlan:
    """`/` first, then the changed pages in path order, then the nearest pages that show what else changed.

    At most `MAX_ROUTES` in all.
    """
    sources = sources or Sources()
    hints = read_hints(sources.texts[FILE]) if FILE in sources.texts else Hints()
    mapper = _mapper(change, sources, hints)
    mapped = _of_one_preview([mapper.map(file) for file in change.files], hints)
    chosen = _choose(mapped)
    notes = (*hints.problems, *((sources.why,) if sources.why else ()))
    return RoutePlan(tuple(chosen.items()), tuple(_role(one, chosen) for one in mapped), hints, notes)


def _mapper(change: Change, sources: Sources, hints: Hints) -> Mapper:
    conventions = Conventions(change.tree, sources.texts)
    if not sources.searched:
        return Mapper(conventions, hints, None, sources.why)
    configurations = {path: text for path, text in sources.texts.items() if CONFIGURATION.fullmatch(path)}
    resolver = Resolver(change.tree, configurations)
    return Mapper(conventions, hints, Modules(change.tree, sources.texts, resolver))


def _of_one_preview(mapped: list[Mapped], hints: Hints) -> list[Mapped]:
    """Keep the pages of the projects that the preview is taken to show.

    The one that the owner names, else those whose pages changed, else the one that shows most of the change.
    """
    if hints.project is not None:
        shown = {hints.project}
    else:
        shown = {one.candidates[0].project for one in mapped if one.direct and one.candidates}
        counts = Counter(project for one in mapped for project in sorted({c.project for c in one.candidates}))
        if not shown and counts:
            shown = {min(counts, key=lambda project: (-counts[project], project))}
    return [_shown(one, shown) for one in mapped]


def _shown(mapped: Mapped, projects: set[str]) -> Mapped:
    kept = tuple(candidate for candidate in mapped.candidates if candidate.project in projects)
    if kept or not mapped.candidates:
        return replace(mapped, candidates=kept)
    elsewhere = mapped.candidates[0].project.rstrip("/") or "the root"
    here = ", ".join(sorted(project.rstrip("/") or "the root" for project in projects))
    reason = f"only pages of {elsewhere} show it; the preview is taken to be of {here} ({FILE}: project)"
    return Mapped(mapped.path, "not_mapped", reason=reason)


def _choose(mapped: Sequence[Mapped]) -> dict[str, str]:
    """Route to reason. Every changed path gets its nearest page before any gets a second one."""
    chosen = {ENTRY: ENTRY_REASON}
    for one in mapped:
        if one.direct:
            for candidate in one.candidates[:1]:
                _add(candidate, chosen)
    for one in mapped:
        if one.candidates and not any(candidate.route in chosen for candidate in one.candidates):
            _add(one.candidates[0], chosen)
    more = [candidate for one in mapped for candidate in one.candidates]
    for candidate in sorted(more, key=lambda found: found.distance):
        _add(candidate, chosen)
    return chosen


def _add(candidate: Candidate, chosen: dict[str, str]) -> None:
    if candidate.route == ENTRY and chosen[ENTRY] == ENTRY_REASON:
        chosen[ENTRY] = f"{ENTRY_REASON}; {candidate.reason}"
    elif candidate.route not in chosen and len(chosen) < MAX_ROUTES:
        chosen[candidate.route] = candidate.reason


def _role(mapped: Mapped, chosen: dict[str, str]) -> PathRole:
    if not mapped.candidates:
        return PathRole(mapped.path, mapped.kind, None, mapped.reason)
    planned = [candidate for candidate in mapped.candidates if candidate.route in chosen]
    nearest = planned[0] if planned else mapped.candidates[0]
    if not planned:
        reason = f"a run visits {MAX_ROUTES} routes"
        return PathRole(mapped.path, "over_bound", nearest.route, reason, nearest.project)
    also = tuple((candidate.route, candidate.reason) for candidate in planned[1:])
    direct = nearest.distance == 0
    return PathRole(mapped.path, "page", nearest.route, nearest.reason, nearest.project, also, direct)
