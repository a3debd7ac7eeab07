"""Type checkers that are told which folders to include and exclude: Pyright and ty."""

from __future__ import annotations

import posixpath
from abc import abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING

from prview.checks.configured import below
from prview.checks.python_types import PythonTypes

if TYPE_CHECKING:
    from prview.checks.base import CheckContext
    from prview.checks.jobs import Job, Project


@dataclass(frozen=True)
class Selection:
    """Globs relative to the folder of the configuration."""

    include: tuple[str, ...]
    exclude: tuple[str, ...]

    def covers(self, path: str) -> bool:
        """Whether a file is looked at."""
        if any(below(pattern, path) for pattern in self.exclude):
            return False
        return not self.include or any(below(pattern, path) for pattern in self.include)


class SelectedTypes(PythonTypes):
    """Quickly, the changed files among the selected ones are named; those outside of them never."""

    @abstractmethod
    def selection(self, name: str, text: str) -> Selection:
        """What a configuration selects."""

    async def targets(self, context: CheckContext, project: Project) -> tuple[str, ...] | None:
        """Quickly: the changed files that the project has checked."""
        changed = await super().targets(context, project)
        if changed is None:
            return None
        selection = self.selection(*await self.config(context, "head", project.folder))
        return tuple(
            [
                path
                for path in changed
                if selection.covers(posixpath.relpath(path, project.folder or "."))
                and await self.owns(context, "head", project.folder, path)
            ]
        )

    async def selected(self, job: Job) -> frozenset[str]:
        """The files of the side that it is started on."""
        if job.targets is not None:
            return frozenset(job.targets)
        selection = self.selection(*await self.config(job.context, job.side, job.project))
        prefix = f"{job.project}/" if job.project else ""
        return frozenset(
            path
            for path in job.listing
            if path.startswith(prefix) and self.concerns(path) and selection.covers(path.removeprefix(prefix))
        )
