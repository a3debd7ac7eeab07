"""Which files are workflows, and the projects of tools that read them: one for the repository."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from prview.checks.base import Skip
from prview.checks.external import ToolCheck
from prview.checks.jobs import Project
from prview.checks.wanted import is_wanted
from prview.domain.checks import Kind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from prview.checks.base import CheckContext
    from prview.checks.jobs import Job

_WORKFLOW = re.compile(r"^\.github/workflows/[^/]+\.ya?ml$")
_ACTION = re.compile(r"(?:^|/)action\.ya?ml$")
_FOREIGN = re.compile(r"(?:^|/)(?:node_modules|vendor)/")


def is_workflow(path: str) -> bool:
    """Whether GitHub runs a file of this path as a workflow."""
    return _WORKFLOW.match(path) is not None


def is_action(path: str) -> bool:
    """Whether a file of this path describes an action of the repository's own."""
    return _ACTION.search(path) is not None and _FOREIGN.search(path) is None


class WorkflowTool(ToolCheck):
    """Where the project does not use the tool, nothing is missing."""

    kind = Kind.SECURITY
    suffixes = frozenset()
    per_file = True

    async def projects(self, context: CheckContext) -> Sequence[Project] | Skip:
        """The repository."""
        files = tuple(file for file in context.change.files if self.touches(file.path))
        there = (*context.paths, *await context.trees.listing("base"))
        if any(map(self.configures, there)) or await is_wanted(context, self.program):
            return [Project("", files)]
        return Skip(f"the project does not use {self.program}")

    async def targets(self, context: CheckContext, project: Project) -> tuple[str, ...] | None:
        """The changed files; all of them when the configuration changed."""
        if any(self.configures(file.path) for file in project.files):
            return tuple(sorted(path for path in context.paths if self.concerns(path)))
        return tuple(file.path for file in project.files if file.exists and self.concerns(file.path))

    def configures(self, path: str) -> bool:
        """Configurations lie in the root or in `.github`."""
        return path.removeprefix(".github/") in self.configs

    def named(self, job: Job) -> list[str]:
        """The files to look at, also when everything is meant."""
        if job.targets is not None:
            return list(job.targets)
        return sorted(path for path in job.listing if self.concerns(path))
