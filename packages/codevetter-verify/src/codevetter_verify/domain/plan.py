"""The bounded, deterministic plan: which routes a run visits, and what each changed path is to them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from codevetter_verify.domain.routes.conventions import Conventions
from codevetter_verify.domain.routes.kinds import is_non_ui, is_test

if TYPE_CHECKING:
    from codevetter_verify.domain.change import Change, ChangedFile

MAX_ROUTES = 6
ENTRY = "/"
ENTRY_REASON = "the entry page, always visited first"

PathKind = Literal["page", "dynamic", "deleted", "non_ui", "not_mapped", "over_bound"]


@dataclass(frozen=True, slots=True)
class PathRole:
    """What one changed path means for the plan."""

    path: str
    kind: PathKind
    route: str | None = None
    reason: str | None = None
    project: str = ""


@dataclass(frozen=True, slots=True)
class RoutePlan:
    """Routes with their reasons, in the order they are visited, and the role of every changed path."""

    routes: tuple[tuple[str, str], ...]
    roles: tuple[PathRole, ...]

    @property
    def projects(self) -> tuple[str, ...]:
        """The project folders that the planned pages come from."""
        return tuple(sorted({role.project for role in self.roles if role.kind == "page"}))


def plan_routes(change: Change) -> RoutePlan:
    """`/` first, then the changed pages in path order, at most `MAX_ROUTES` in all."""
    conventions = Conventions(change.tree)
    roles = [_role(file, conventions) for file in change.files]
    chosen = {ENTRY: ENTRY_REASON}
    bounded = [_bound(role, chosen) for role in roles]
    return RoutePlan(tuple(chosen.items()), tuple(bounded))


def _bound(role: PathRole, chosen: dict[str, str]) -> PathRole:
    """Add the role's route to `chosen` while there is room; say so when there is not."""
    if role.kind != "page" or role.route is None:
        return role
    if role.route == ENTRY and chosen[ENTRY] == ENTRY_REASON:
        chosen[ENTRY] = f"{ENTRY_REASON}; {role.reason}"
    elif role.route not in chosen:
        if len(chosen) >= MAX_ROUTES:
            return PathRole(
                role.path, "over_bound", role.route, f"a run visits {MAX_ROUTES} routes", role.project
            )
        chosen[role.route] = role.reason or ""
    return role


def _role(file: ChangedFile, conventions: Conventions) -> PathRole:
    if file.deleted:
        return PathRole(file.path, "deleted")
    if is_test(file.path):
        return PathRole(file.path, "non_ui")
    located = conventions.locate(file.path)
    if located is None or located.match.kind == "not_page":
        return _unrouted(file.path, located.match.reason if located else "")
    match = located.match
    if match.kind == "api":
        return PathRole(file.path, "non_ui", None, f"{match.framework} endpoint")
    if match.kind == "dynamic":
        return PathRole(file.path, "dynamic", None, match.reason)
    return PathRole(
        file.path, "page", match.route, f"{match.framework} page {file.path} changed", located.project
    )


def _unrouted(path: str, reason: str) -> PathRole:
    if is_non_ui(path):
        return PathRole(path, "non_ui")
    return PathRole(path, "not_mapped", None, reason or None)
