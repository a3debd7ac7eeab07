"""What the type checkers of Python have in common: run where the project configures them, and only there."""

from __future__ import annotations

import posixpath
from abc import abstractmethod
from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar
from weakref import WeakKeyDictionary

from prview.checks.base import Skip
from prview.checks.configured import Configurations, configured_projects
from prview.checks.external import ToolCheck
from prview.checks.python_environment import PythonEnvironment, python_environment
from prview.domain.checks import Kind

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from prview.checks.base import CheckContext
    from prview.checks.jobs import Job, Project, Reading
    from prview.checks.trees import Side, Trees

PYTHON_SUFFIXES = frozenset({".py", ".pyi"})
_NO_ENVIRONMENT = "no environment"


class PythonTypes(ToolCheck):
    """A type checker: its answer about a file depends on every other one, and on what is installed."""

    kind = Kind.TYPES
    suffixes = PYTHON_SUFFIXES
    also_read = frozenset({".toml", ".ini", ".cfg", "py.typed", ".gitignore"})
    exits = frozenset({0, 1})
    missing_imports: ClassVar[frozenset[str]] = frozenset()
    """Rules about imports that are not found: no mistake of the code where no environment is."""

    def __init__(self) -> None:
        self._known: WeakKeyDictionary[Trees, dict[Side, Configurations]] = WeakKeyDictionary()

    @property
    @abstractmethod
    def markers(self) -> Mapping[str, Callable[[str], bool]]:
        """The files that configure it."""

    async def projects(self, context: CheckContext) -> Sequence[Project] | Skip:
        """Where it is configured; a neutral skip where it is not."""
        found = await configured_projects(context, self.markers, self.touches)
        return found or Skip(f"the project does not configure {self.program}")

    async def config(self, context: CheckContext, side: Side, folder: str) -> tuple[str, str]:
        """Name and text of the file in a project's folder that configures it."""
        found = await self._configurations(context, side).of(folder)
        if found is None:
            raise ValueError(f"{folder or 'the root'} has no configuration of {self.program}")
        content = await context.trees.read(side, found)
        return posixpath.basename(found), (content or b"").decode("utf-8", "replace")

    async def owns(self, context: CheckContext, side: Side, folder: str, path: str) -> bool:
        """Whether the project in `folder` is the one that configures the checker for a file."""
        found = await self._configurations(context, side).above(path)
        return found is not None and posixpath.dirname(found) == folder

    async def owned(self, job: Job, reading: Reading) -> Reading:
        """What is about files of this project: a project inside of it has rules of its own."""
        whose = dict.fromkeys(reading.examined, True) | {f.path: True for f in reading.findings}
        for path in whose:
            whose[path] = await self.owns(job.context, job.side, job.project, path)
        return replace(
            reading,
            findings=tuple(finding for finding in reading.findings if whose[finding.path]),
            examined=frozenset(path for path in reading.examined if whose[path]),
        )

    def _configurations(self, context: CheckContext, side: Side) -> Configurations:
        """What was looked up once is not looked up again in the same review."""
        sides = self._known.setdefault(context.trees, {})
        if side not in sides:
            sides[side] = Configurations(context.trees, side, self.markers)
        return sides[side]

    async def python(self, job: Job) -> PythonEnvironment | None:
        """The project's environment, looked for from the head's folder and from above it."""
        return await python_environment(job.context, job.project)

    async def with_imports(self, job: Job, reading: Reading) -> Reading:
        """Without an environment of the project, imports that are not found are nobody's mistake."""
        if await self.python(job):
            return reading
        known = tuple(finding for finding in reading.findings if finding.rule not in self.missing_imports)
        blind = "no environment of the project was found: imports of its dependencies are not followed"
        parts = [reading.unseen, blind if len(known) < len(reading.findings) else None]
        unseen = "; ".join(part for part in parts if part) or None
        return replace(reading, findings=known, unseen=unseen)

    async def outside(self, job: Job) -> str:
        """The installed packages decide what is known about an import."""
        found = await self.python(job)
        return found.digest(job.context.checkouts) if found else _NO_ENVIRONMENT

    async def first_party(self, job: Job) -> list[str]:
        """Folders of the tree that stand in for what an editable install takes from the checkout."""
        found = await self.python(job)
        return [str(job.tree / folder) for folder in found.editable(job.context.checkouts)] if found else []
