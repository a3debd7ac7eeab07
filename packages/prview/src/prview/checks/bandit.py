"""Bandit on both sides of the change: what an attacker may make use of, found by pattern."""

from __future__ import annotations

import posixpath
from typing import TYPE_CHECKING, Literal

from pydantic import BaseModel, ConfigDict, ValidationError

from prview.checks.base import Profile, Skip
from prview.checks.configured import Configurations, always, ini_section, toml_section
from prview.checks.external import ToolCheck
from prview.checks.jobs import Job, Output, Project, Reading
from prview.checks.wanted import is_wanted
from prview.domain.checks import Kind
from prview.domain.findings import Finding, Level

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from prview.checks.base import CheckContext

MARKERS: Mapping[str, Callable[[str], bool]] = {
    "pyproject.toml": toml_section("tool", "bandit"),
    "bandit.yaml": always,
    "bandit.yml": always,
    ".bandit": ini_section("bandit"),
}
_Rank = Literal["UNDEFINED", "LOW", "MEDIUM", "HIGH"]


class _Result(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")

    filename: str
    issue_confidence: _Rank
    issue_severity: _Rank
    issue_text: str
    line_number: int
    line_range: tuple[int, ...] = ()
    col_offset: int | None = None
    more_info: str | None = None
    test_id: str


class _Failure(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")

    filename: str
    reason: str


class _Report(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")

    errors: list[_Failure]
    metrics: dict[str, dict[str, int]]
    results: list[_Result]


class Bandit(ToolCheck):
    """Reads the changed Python files; everything in the deep profile."""

    id = "bandit"
    name = "Bandit"
    kind = Kind.SECURITY
    program = "bandit"
    suffixes = frozenset({".py"})
    configs = frozenset(MARKERS)
    per_file = True
    exits = frozenset({0, 1})

    async def projects(self, context: CheckContext) -> Sequence[Project] | Skip:
        """One for the repository, if it uses bandit: what is on somebody's PATH says nothing of it."""
        files = tuple(file for file in context.change.files if self.touches(file.path))
        if await self._configured(context) or await is_wanted(context, self.program):
            return [Project("", files)]
        return Skip("the project does not use bandit")

    async def _configured(self, context: CheckContext) -> bool:
        return any([await self._config(context, "head"), await self._config(context, "base")])

    async def targets(self, context: CheckContext, project: Project) -> tuple[str, ...] | None:
        """What did not change has nothing new: a finding depends on its own file."""
        changed = await super().targets(context, project)
        if changed is not None or context.profile is Profile.DEEP or not project.files:
            return changed
        if any(self.configures(file.path) for file in project.files):
            return changed
        return tuple(file.path for file in project.files if file.exists)

    async def command(self, job: Job) -> list[str]:
        """JSON of everything; the project's configuration decides what is reported."""
        config = await self._config(job.context, job.side)
        option = []
        if config:
            option = ["--ini" if posixpath.basename(config) == ".bandit" else "-c", config]
        return [str(job.tool.program), "-f", "json", "-q", *option, "-r", *job.arguments]

    def read(self, job: Job, output: Output) -> Reading:
        """Every result, and every file that bandit counted lines of."""
        try:
            report = _Report.model_validate_json(output.stdout)
        except ValidationError as exc:
            raise job.failed(f"bandit's output cannot be read: {exc.errors()[0]['msg']}", output) from exc
        failed = frozenset(path for item in report.errors if (path := job.path(item.filename)))
        counted = {path for name in report.metrics if name != "_totals" and (path := job.path(name))}
        findings = tuple(_finding(item, output, job=job) for item in report.results)
        return Reading(findings, frozenset(counted - failed), unread=failed)

    async def _config(self, context: CheckContext, side: Literal["head", "base"]) -> str | None:
        return await Configurations(context.trees, side, MARKERS).of("")


def _finding(item: _Result, output: Output, *, job: Job) -> Finding:
    path = job.path(item.filename)
    if path is None:
        raise job.failed(f"bandit reports {item.filename}, which is not in the tree", output)
    return job.finding(
        rule=item.test_id,
        level=_level(item),
        path=path,
        line=item.line_number,
        column=item.col_offset + 1 if item.col_offset is not None and item.col_offset >= 0 else None,
        end_line=max(item.line_range, default=None),
        message=f"{item.issue_text} (severity {item.issue_severity.lower()}, "
        f"confidence {item.issue_confidence.lower()}; found by pattern)",
        help_uri=item.more_info,
    )


def _level(item: _Result) -> Level:
    """Patterns are no proof, so nothing of this alone blocks: what is serious and likely is a warning."""
    serious = item.issue_severity in {"MEDIUM", "HIGH"} and item.issue_confidence in {"MEDIUM", "HIGH"}
    return Level.WARNING if serious else Level.NOTE
