"""golangci-lint on both sides of the change, where the project configures it."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from prview.checks.base import Skip, ToolUnavailableError
from prview.checks.configured import always, configured_projects
from prview.checks.go.golang import GoTool, missing_modules
from prview.checks.jobs import Job, Output, Reading
from prview.checks.records import Record, records
from prview.domain.checks import Kind
from prview.domain.findings import Finding, Level

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from prview.checks.base import CheckContext
    from prview.checks.jobs import Project

MARKERS: Mapping[str, Callable[[str], bool]] = dict.fromkeys(
    (".golangci.yml", ".golangci.yaml", ".golangci.toml", ".golangci.json"), always
)
_MAJOR = re.compile(r"version v?(\d+)\.")
_FAILED = "typecheck"


class _Position(Record):
    Filename: str
    Line: int
    Column: int = 0


class _Issue(Record):
    FromLinter: str
    Text: str
    Severity: str = ""
    Pos: _Position


class _Linters(Record):
    Error: str = ""


class _Report(Record):
    Issues: list[_Issue] | None
    Report: _Linters = _Linters()


class GolangciLint(GoTool):
    """The linters that the configuration enables, started in every module that it is above of."""

    id = "golangci_lint"
    name = "golangci-lint"
    kind = Kind.LINT
    program = "golangci-lint"
    configs = frozenset({*GoTool.configs, *MARKERS})
    exits = frozenset({0, 1})
    version_arguments = ("--version",)

    async def projects(self, context: CheckContext) -> Sequence[Project] | Skip:
        """Modules, where somebody decided for it."""
        if not await configured_projects(context, MARKERS, self.touches):
            return Skip("the project does not configure golangci-lint")
        return await super().projects(context)

    async def command(self, job: Job) -> list[str]:
        """Everything it finds, in the JSON of its major version."""
        major = _MAJOR.search(job.version)
        if major is None:
            raise ToolUnavailableError(f"golangci-lint does not say its version: {job.version}")
        new = int(major[1]) > 1
        output = "--output.json.path=stdout" if new else "--out-format=json"
        limits = ["--max-issues-per-linter=0", "--max-same-issues=0", "--issues-exit-code=0"]
        paths = ["--path-mode=abs"] if new else []
        return [str(job.tool.program), "run", output, *limits, *paths, "--allow-parallel-runners", "./..."]

    async def environment(self, job: Job) -> Mapping[str, str]:
        """Its own cache remembers positions by path, and our paths do not last."""
        return {**await super().environment(job), "GOLANGCI_LINT_CACHE": str(job.scratch / "golangci")}

    def read(self, job: Job, output: Output) -> Reading:
        """Every issue; text after the object is a summary for people."""
        missing = missing_modules(output) if output.returncode else None
        if missing:
            raise missing
        text = output.text.lstrip()
        try:
            _, end = json.JSONDecoder().raw_decode(text)
        except (ValueError, RecursionError) as exc:
            words = output.last_words or "nothing"
            raise job.failed(f"golangci-lint's output cannot be read; it said: {words}", output) from exc
        report = records(_Report, text[:end].encode(), job=job, output=output, tool="golangci-lint")
        if report.Report.Error or output.returncode:
            raise job.failed(f"golangci-lint failed: {report.Report.Error or output.last_words}", output)
        issues = tuple(_finding(issue, job=job, output=output) for issue in report.Issues or ())
        broken = any(issue.FromLinter == _FAILED for issue in report.Issues or ())
        unseen = "golangci-lint did not see code that does not compile" if broken else None
        return Reading(issues, self.sources(job), unseen)


def _finding(issue: _Issue, *, job: Job, output: Output) -> Finding:
    path = job.path(issue.Pos.Filename)
    if path is None:
        raise job.failed(f"golangci-lint reports {issue.Pos.Filename}, which is not in the tree", output)
    error = issue.Severity == "error" or issue.FromLinter == _FAILED
    return job.finding(
        rule=issue.FromLinter,
        level=Level.ERROR if error else Level.WARNING,
        path=path,
        line=issue.Pos.Line,
        column=issue.Pos.Column or None,
        message=issue.Text,
        help_uri=f"https://golangci-lint.run/usage/linters/#{issue.FromLinter}",
    )
