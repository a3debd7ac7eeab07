"""A test suite on the reviewed commit; what fails is run again, and compared with the merge base.

What every runner shares whose output names its tests. Failing ids are compared, not exit codes. No outcome is
kept for later runs: what a test depends on has no end. A subclass says

    id, name, program       as every check
    languages               of the files that its tests may be about (other files without a language are, too)
    is_test(path)           whether a file may hold tests
    names_tell              False when no name says whether a file holds tests: a run alone does
    may_be_test(path)       the same for projects that call their tests as they like (is_test unless said)
    configures(path)        whether a file decides which tests there are
    projects(context)       where suites begin
    execute(job, only)      run the suite, or some tests of it, and return the Run; raises a CheckProblem

Beside failures it is a finding when a test that ran on the merge base does not run any more (also when
nothing is left of the suite: `gone`), and an error when nothing ran at all.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, ClassVar

from prview.checks.base import CheckProblem, Profile, Sight, Skip, ToolOutputError
from prview.checks.environments import locate
from prview.checks.jobs import Budget, Job, Start, open_job
from prview.checks.merging import merged
from prview.checks.suites.gone import removed, removed_tests
from prview.checks.suites.judging import BROKEN, by_file, failures, no_evidence, no_longer_run
from prview.checks.suites.outcomes import Run, Status
from prview.checks.tools import Tool, passed_on, tool_environment, tool_version
from prview.domain.checks import Kind
from prview.domain.coverage import language
from prview.domain.provenance import judge

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from prview.checks.base import CheckContext
    from prview.checks.jobs import Project
    from prview.checks.suites.outcomes import Case
    from prview.domain.findings import Judged

MAX_RERUN = 100
"""Failures beyond which nothing is run again: that many are no accident."""

_PROSE = (".md", ".rst", ".adoc")


class SuiteCheck(ABC):
    """See the module's documentation."""

    id: str
    name: str
    kind = Kind.TESTS
    program: ClassVar[str]
    languages: ClassVar[frozenset[str]]
    names_tell: ClassVar[bool] = True
    version_arguments: ClassVar[tuple[str, ...]] = ("--version",)
    variables: ClassVar[tuple[str, ...]] = ()

    # --- what a subclass says ---------------------------------------------------------------------

    @abstractmethod
    def is_test(self, path: str) -> bool:
        """Whether a file may hold tests."""

    @abstractmethod
    def configures(self, path: str) -> bool:
        """Whether a change to a file may change which tests there are."""

    @abstractmethod
    async def projects(self, context: CheckContext) -> Sequence[Project] | Skip:
        """Where suites begin."""

    @abstractmethod
    async def execute(self, job: Job, only: Mapping[str, Sequence[Case]] | None) -> Run:
        """Run all tests, or those of some files. Raises a CheckProblem."""

    async def environment(self, job: Job) -> Mapping[str, str]:
        """Variables beside the usual ones."""
        del job
        return {}

    async def find(self, context: CheckContext, project: Project) -> Tool:
        """The program. Raises ToolUnavailableError."""
        return await locate(self.program, context, project.folder)

    async def incomparable(self, job: Job) -> str | None:
        """Why the merge base cannot be run, as a sentence, or None."""
        del job
        return None

    def concerns(self, path: str) -> bool:
        """Whether a change to a file may change how tests end."""
        spoken = language(path)
        return spoken in self.languages or (spoken is None and not path.endswith(_PROSE))

    def may_be_test(self, path: str) -> bool:
        """Whether a file may hold tests in a project that has names of its own for them."""
        return self.is_test(path)

    async def gone(self, context: CheckContext, projects: Sequence[Project]) -> list[Judged]:
        """Findings for the tests of the base that none of the `projects` can run or miss."""
        found = removed_tests(context.change.files, self.is_test)
        return removed([path for path in found if not within(projects, path)], check=self.id)

    # --- what it gets for that --------------------------------------------------------------------

    def applies(self, context: CheckContext) -> Skip | None:
        """There must be tests that the change concerns, time, and leave to run code."""
        paths = [path for file in context.change.files for path in (file.path, file.old_path) if path]
        tested = any(self.may_be_test(path) for path in context.paths)
        if not tested and not removed_tests(context.change.files, self.is_test):
            return Skip(f"the reviewed commit has no tests for {self.name}")
        if not any(self.concerns(path) for path in paths):
            return Skip(f"no file that tests of {self.name} are about was changed")
        if context.profile is Profile.QUICK:
            return Skip("left out by the quick profile")
        return None

    async def look(self, context: CheckContext) -> Sight | Skip:
        """Run every suite once; only failures and changed tests cost more runs."""
        projects = await self.projects(context)
        none = projects if isinstance(projects, Skip) else None
        suites = () if isinstance(projects, Skip) else projects
        gone = await self.gone(context, suites)
        if none:
            return _only(gone, context) if gone else none
        if not context.may_run_code:
            return Skip(
                "code of a branch that is not checked out is only run with --allow-code", neutral=False
            )
        budget = Budget(context.timeout_s)
        seen = [
            await self._guarded(context, project, budget=budget, number=number)
            for number, project in enumerate(suites)
        ]
        parts = [sight for sight in seen if sight is not None]
        if not (parts or gone):
            return Skip(f"{self.name} found no tests, neither here nor in the merge base")
        return merged([*parts, *([_only(gone, context)] if gone else [])])

    async def _guarded(
        self, context: CheckContext, project: Project, *, budget: Budget, number: int
    ) -> Sight | None:
        """One suite, None when it never had a test; what keeps it from running is its own."""
        try:
            tool = await self.find(context, project)
            env = tool_environment(tool, context.scratch, add=passed_on(self.variables))
            version = await tool_version(tool, cwd=context.scratch, env=env, arguments=self.version_arguments)
            return await self._suite(Start(context, project, tool, version, budget, number))
        except CheckProblem as exc:
            where = f"{project.folder}: " if project.folder else ""
            exc.message = f"{where}{exc.message}"
            return Sight(problem=exc, log=exc.log)

    async def _suite(self, suite: Start) -> Sight | None:
        context = suite.context
        job = await open_job(self, suite, side="head", folder=suite.project.folder)
        head = await self.execute(job, None)
        problem = self._problem(head, job)
        flaky = await self._flaky(job, head)
        before, unknown, log = await self._before(suite, head)
        if not (self.names_tell or unknown or _says_something(head) or _says_something(before)):
            return None
        judged = judge(
            failures(head, check=self.id, without=flaky),
            failures(before, check=self.id),
            renames=context.change.renames,
            added=context.change.added_numbers,
        )
        blind = [item.finding.path for item in judged if item.finding.rule == BROKEN and not item.introduced]
        hidden = f"tests that cannot be run, before and after: {', '.join(blind)}" if blind else None
        lost = no_longer_run(head, before, check=self.id, renames=context.change.renames, there=context.paths)
        return Sight(
            judged=(*judged, *lost),
            examined=head.files & {file.path for file in context.change.files},
            flaky=tuple(sorted(flaky)),
            tool=f"{suite.version} ({suite.tool.origin})",
            log="".join(job.log) + log,
            unseen="; ".join(part for part in (hidden, unknown) if part) or None,
            problem=problem,
        )

    def _problem(self, head: Run, job: Job) -> ToolOutputError | None:
        reason = no_evidence(head)
        return ToolOutputError(f"{self.name} {reason}", log="".join(job.log)) if reason else None

    async def _flaky(self, job: Job, head: Run) -> frozenset[str]:
        """The failed tests that were seen to pass when run again."""
        failed = head.having(Status.FAILED)
        if not failed or len(failed) > MAX_RERUN:
            return frozenset()
        try:
            again = await self.execute(job, by_file(head, failed))
        except CheckProblem:
            return frozenset()  # nothing was seen to pass
        return failed & again.having(Status.PASSED)

    async def _before(self, suite: Start, head: Run) -> tuple[Run, str | None, str]:
        """The base's run where something could differ, why it is not known, and what was said."""
        folder = suite.project.base_folder
        if folder is None or not (self._touched(suite) or failures(head, check=self.id) or _quiet(head)):
            return Run(), None, ""
        job = await open_job(self, suite, side="base", folder=folder)
        why = await self.incomparable(job)
        if why is None:
            try:
                return await self.execute(job, None), None, "".join(job.log)
            except CheckProblem as exc:
                why = exc.message
        return Run(), f"the tests could not be compared with those of the merge base: {why}", "".join(job.log)

    def _touched(self, suite: Start) -> bool:
        files = suite.context.change.files
        paths = [path for file in files for path in (file.path, file.old_path) if path]
        prefix = f"{suite.project.folder}/" if suite.project.folder else ""
        inside = [path for path in paths if path.startswith(prefix)]
        return any(self.is_test(path) or self.configures(path) for path in inside)


def within(projects: Sequence[Project], path: str) -> bool:
    """Whether a path is in the folder of one of some projects."""
    return any(not item.folder or path.startswith(f"{item.folder}/") for item in projects)


def _only(gone: Sequence[Judged], context: CheckContext) -> Sight:
    """What is known without a run."""
    deleted = {file.path for file in context.change.files if not file.exists}
    return Sight(judged=tuple(gone), examined=frozenset(item.finding.path for item in gone) & deleted)


def _quiet(head: Run) -> bool:
    return bool(head.having(Status.SKIPPED)) or not _says_something(head)


def _says_something(run: Run) -> bool:
    return bool(run.cases or run.broken)
