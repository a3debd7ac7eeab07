"""What the static tools of JavaScript share: the project's own program, and its packages in the tree."""

from __future__ import annotations

import json
import posixpath
import re
from abc import abstractmethod
from typing import TYPE_CHECKING, ClassVar
from weakref import WeakKeyDictionary

from prview.checks.base import Profile, Skip
from prview.checks.configured import Configurations, configured_projects
from prview.checks.external import ToolCheck
from prview.checks.js.modules import link_packages, other_packages, packages_digest

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from prview.checks.base import CheckContext
    from prview.checks.jobs import Job, Project, Reading
    from prview.checks.trees import Side, Trees

SCRIPTS = frozenset({".js", ".jsx", ".mjs", ".cjs", ".ts", ".tsx", ".mts", ".cts"})
STYLES = frozenset({".css", ".scss", ".sass", ".less"})


class JsTool(ToolCheck):
    """Started in the folder of its configuration; a project without one is not judged by it."""

    markers: ClassVar[Mapping[str, Callable[[str], bool]]]
    also_read = frozenset({".json", ".gitignore", ".editorconfig", "package.json"})

    def __init__(self) -> None:
        self._known: WeakKeyDictionary[Trees, dict[Side, Configurations]] = WeakKeyDictionary()

    @abstractmethod
    def runs_code(self, name: str, text: str) -> bool:
        """Whether reading a configuration of this name and text executes code of the repository."""

    async def projects(self, context: CheckContext) -> Sequence[Project] | Skip:
        """Where it is configured; a neutral skip where it is not."""
        found = await configured_projects(context, self.markers, self.touches)
        return found or Skip(f"the project does not configure {self.name}")

    async def targets(self, context: CheckContext, project: Project) -> tuple[str, ...] | None:
        """The changed files; everything when the configuration changed, and in the deep profile."""
        changed = await super().targets(context, project)
        if changed is not None or context.profile is Profile.DEEP:
            return changed
        for file in project.files:
            if self.configures(file.path) and await self._marks(context, file.path):
                return None
        named = tuple(file.path for file in project.files if file.exists and self.concerns(file.path))
        return named if len(named) <= MAX_NAMED else None

    async def _marks(self, context: CheckContext, path: str) -> bool:
        """Whether a changed file is a configuration (a `package.json` need not be one)."""
        found = await self.configurations(context, "head").of(posixpath.dirname(path))
        return found is None or found == path

    async def examine(self, job: Job) -> Reading:
        """Packages first: plugins and shared configurations are among them."""
        await link_packages(job)
        return await super().examine(job)

    async def outside(self, job: Job) -> str:
        """The installed packages: plugins decide what is found."""
        return await packages_digest(job)

    async def foreign_code(self, job: Job) -> str | None:
        """A configuration that is a program runs."""
        found = await self.configurations(job.context, job.side).above(posixpath.join(job.project, "x"))
        if found is None:
            return None
        text = (await job.text(found)) or ""
        return f"its configuration {found}" if self.runs_code(posixpath.basename(found), text) else None

    async def with_packages(self, job: Job, reading: Reading) -> str | None:
        """What a reader should know when the packages are another version's."""
        why = await other_packages(job) if job.side == "head" else None
        parts = [reading.unseen, f"{self.name} ran with other packages: {why}" if why else None]
        return "; ".join(part for part in parts if part) or None

    def configurations(self, context: CheckContext, side: Side) -> Configurations:
        """What was looked up once is not looked up again in the same review."""
        sides = self._known.setdefault(context.trees, {})
        if side not in sides:
            sides[side] = Configurations(context.trees, side, self.markers)
        return sides[side]


MAX_NAMED = 1000
"""Files beyond which everything is looked at instead of naming them."""


def package_key(*keys: str) -> Callable[[str], bool]:
    """For a `package.json` that configures a tool under one of some keys."""

    def found(text: str) -> bool:
        return any(key in package(text) for key in keys)

    return found


def package(text: str) -> dict[str, object]:
    """A `package.json`, empty when it is none."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return data if isinstance(data, dict) else {}


def version_number(version: str) -> tuple[int, ...]:
    """Major and minor of what a program says about its version: (2, 1) for `vitest/2.1.9 linux-x64`."""
    return tuple(map(int, re.findall(r"\d+", version)[:2]))


def local_reference(text: str) -> bool:
    """Whether a configuration that is data names files of its own: plugins of the repository are code."""
    return any(f"{quote}{start}" in text for quote in ('"', "'", " ") for start in ("./", "../"))
