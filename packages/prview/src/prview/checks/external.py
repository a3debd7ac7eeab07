"""A static tool that is run on both sides of a change: what every linter and type checker shares.

A check of this kind is a subclass of `ToolCheck` that says

    id, name, kind          as every check; `id` is the policy's name
    program                 the program to find (the project's own first; never installed by us)
    suffixes                ends of the files it reads
    configs                 names of files that configure it: a change to one makes it look at everything
    also_read               names or ends of further files that its answer depends on (for the cache)
    since                   the quickest profile it runs in; below that it is a neutral skip
    per_file                True when a finding depends on its own file and the configuration alone
    exits                   exit codes under which its output is complete
    noise                   lines of its error stream that nobody wants in a log
    variables               names of our environment that say where the program has its parts
    keeps                   False when the same files may be answered differently tomorrow: nothing is reused

and implements

    async command(job)      the whole command line, from `job.tool.program`, `job.arguments`, `job.text(path)`
    read(job, output)       every finding as `job.finding(...)` and the files that were looked at, as a
                            Reading; raises `job.failed(...)` for anything that cannot be understood

and may override `projects` (which folders it is started in, or why it is not configured: a Skip), `targets`,
`find`, `environment`, `outside` (what its answer depends on beyond the tree: installed packages),
`foreign_code` (that it would execute code of the reviewed commit), `incomparable` (that the merge base cannot
be looked at) and `examine` (more than one command).

What it gets for that, for every project that the change touches, each in its own folder:

1. The head is looked at. Without findings that is all.
2. The merge base is looked at when a finding lies in a file that the base has, too; a `per_file` tool reads
   only those files there.
3. Findings are matched by rule, path (renames followed), text of the line and occurrence: what the base has
   as well is preexisting, everything else introduced, also on lines that did not change.

Looks are kept by content (checks/cache.py) and reused by later runs, the base's as well. A missing program
is `unavailable`, one that fails or cannot be read is an `error`, a late one a `timeout`: none of them passes,
none is kept, and what other projects showed still counts. A tool that looked at none of the changed files
that it was meant for is skipped with that reason, and does not count as a pass.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, ClassVar

from prview.checks.base import (
    CheckContext,
    CheckProblem,
    Profile,
    Sight,
    Skip,
)
from prview.checks.comparing import MAX_TARGETS, both_sides, started
from prview.checks.environments import locate
from prview.checks.jobs import Budget, Job, Output, Project, Reading
from prview.checks.merging import merged
from prview.checks.projects import projects_by_manifest

if TYPE_CHECKING:
    import re
    from collections.abc import Mapping, Sequence

    from prview.checks.tools import Tool
    from prview.domain.checks import Kind

_PROFILES = (Profile.QUICK, Profile.STANDARD, Profile.DEEP)


class ToolCheck(ABC):
    """See the module's documentation."""

    id: str
    name: str
    kind: Kind
    program: ClassVar[str]
    suffixes: ClassVar[frozenset[str]]
    configs: ClassVar[frozenset[str]] = frozenset()
    also_read: ClassVar[frozenset[str]] = frozenset()
    manifests: ClassVar[frozenset[str]] = frozenset()
    since: ClassVar[Profile] = Profile.QUICK
    per_file: ClassVar[bool] = False
    exits: ClassVar[frozenset[int]] = frozenset({0})
    keeps: ClassVar[bool] = True
    noise: ClassVar[re.Pattern[str] | None] = None
    version_arguments: ClassVar[tuple[str, ...]] = ("--version",)
    variables: ClassVar[tuple[str, ...]] = ()

    # --- what a subclass says ---------------------------------------------------------------------

    @abstractmethod
    async def command(self, job: Job) -> list[str]:
        """The command line. Raises a CheckProblem."""

    @abstractmethod
    def read(self, job: Job, output: Output) -> Reading:
        """All findings of a run that ended with one of `exits`. Raises ToolOutputError."""

    async def projects(self, context: CheckContext) -> Sequence[Project] | Skip:
        """Where to look: the folders with one of `manifests` nearest to the changed files, or the root."""
        return await projects_by_manifest(context, manifests=self.manifests, concerns=self.touches)

    async def targets(self, context: CheckContext, project: Project) -> tuple[str, ...] | None:
        """The head's files to look at; None means everything that the project configures."""
        named = tuple(file.path for file in project.files if file.exists and self.concerns(file.path))
        reconfigured = any(self.configures(file.path) for file in context.change.files)
        if context.profile is not Profile.QUICK or reconfigured or len(named) > MAX_TARGETS:
            return None
        return named

    async def find(self, context: CheckContext, project: Project) -> Tool:
        """The program. Raises ToolUnavailableError."""
        return await locate(self.program, context, project.folder)

    async def environment(self, job: Job) -> Mapping[str, str]:
        """Variables beside the usual ones."""
        del job
        return {}

    async def outside(self, job: Job) -> str:
        """A digest of whatever its answer depends on that is not in the tree."""
        del job
        return ""

    async def foreign_code(self, job: Job) -> str | None:
        """Which code of the reviewed commit this would execute (`its plugin a/b.py`), or None."""
        del job
        return None

    async def incomparable(self, job: Job) -> str | None:
        """Why the merge base (`job` is its) cannot be looked at, as a sentence, or None."""
        del job
        return None

    async def examine(self, job: Job) -> Reading:
        """Run the command and read what it says. Raises a CheckProblem."""
        output = await job.run(await self.command(job), noise=self.noise)
        if output.returncode not in self.exits:
            words = f": {output.last_words}" if output.last_words else ""
            raise job.failed(f"{self.program} failed with exit code {output.returncode}{words}", output)
        return self.read(job, output)

    def concerns(self, path: str) -> bool:
        """Whether the tool reads such a file."""
        return PurePosixPath(path).suffix in self.suffixes

    def configures(self, path: str) -> bool:
        """Whether such a file configures the tool."""
        return PurePosixPath(path).name in self.configs

    def touches(self, path: str) -> bool:
        """Whether a change to such a file is a reason to look."""
        return self.concerns(path) or self.configures(path)

    # --- what it gets for that --------------------------------------------------------------------

    def applies(self, context: CheckContext) -> Skip | None:
        """Something it reads must have changed."""
        paths = [path for file in context.change.files for path in (file.path, file.old_path) if path]
        if not any(self.touches(path) for path in paths):
            return Skip(f"no file that {self.name} reads was changed")
        return None

    async def look(self, context: CheckContext) -> Sight | Skip:
        """Look at every project that the change touches, and compare both sides."""
        projects = await self.projects(context)
        if isinstance(projects, Skip):
            return projects
        if _PROFILES.index(context.profile) < _PROFILES.index(self.since):
            # only here: what the project does not use was not left out by anybody
            return Skip(f"left out by the {context.profile} profile")
        budget = Budget(context.timeout_s)
        seen = [
            await self._in_project(context, project, budget=budget, number=number)
            for number, project in enumerate(projects)
        ]
        return self._together(context, [sight for sight in seen if sight is not None])

    async def _in_project(
        self, context: CheckContext, project: Project, *, budget: Budget, number: int
    ) -> Sight | None:
        """One project, None when it has nothing to look at; what keeps it from being seen is its own."""
        try:
            targets = await self._named(context, project)
            if targets == ():
                return None
            tool = await self.find(context, project)
            start = await started(
                self, context, project, targets=targets, tool=tool, budget=budget, number=number
            )
            return await both_sides(start)
        except CheckProblem as exc:
            where = f"{project.folder}: " if project.folder else ""
            exc.message = f"{where}{exc.message}"
            return Sight(problem=exc, log=exc.log)

    async def _named(self, context: CheckContext, project: Project) -> tuple[str, ...] | None:
        """The targets that can be handed over: a name that is no text cannot, and stays unexamined."""
        targets = await self.targets(context, project)
        if targets is None:
            return None
        odd = await context.trees.odd_names("head")
        return tuple(path for path in targets if path not in odd)

    def _together(self, context: CheckContext, parts: Sequence[Sight]) -> Sight | Skip:
        """All projects as one; a tool that looked at nothing it was meant for has nothing to say."""
        sight = merged(parts)
        meant = {file.path for file in context.change.files if file.exists and self.concerns(file.path)}
        if not meant and not parts:
            return Skip(f"nothing that {self.name} reads is left of what was changed")
        idle = meant and not (meant & sight.examined)
        if idle and not sight.problem and not any(item.introduced for item in sight.judged):
            what = "the changed file" if len(meant) == 1 else f"any of the {len(meant)} changed files"
            return Skip(f"{self.name} does not look at {what}: the project's configuration leaves it out")
        return sight
