"""Semgrep with the repository's own rules, on both sides of the change.

Rules of a registry are downloaded when they are used, so only those that the commit itself holds are
applied: `.semgrep.yml`, `semgrep.yml`, and everything in `.semgrep`. Without any there is nothing to say.
"""

from __future__ import annotations

import posixpath
from typing import TYPE_CHECKING

from pydantic import Field

from prview.checks.base import Profile, Skip
from prview.checks.external import ToolCheck
from prview.checks.jobs import Job, Output, Project, Reading
from prview.checks.records import Record, records, required_path
from prview.domain.checks import Kind
from prview.domain.coverage import language
from prview.domain.findings import Finding, Level

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from prview.checks.base import CheckContext

_FILES = frozenset(f"{dot}semgrep.{end}" for dot in ("", ".") for end in ("yml", "yaml"))
_FOLDER = ".semgrep/"
_LEVELS = {
    "CRITICAL": Level.ERROR,
    "ERROR": Level.ERROR,
    "HIGH": Level.ERROR,
    "WARNING": Level.WARNING,
    "MEDIUM": Level.WARNING,
}


class _Position(Record):
    line: int
    col: int


class _Extra(Record):
    message: str
    severity: str
    metadata: dict[str, object] = Field(default_factory=dict)
    is_ignored: bool = False


class _Result(Record):
    check_id: str
    path: str
    start: _Position
    end: _Position
    extra: _Extra


class _Error(Record):
    level: str = "error"
    message: str = ""
    path: str | None = None


class _Paths(Record):
    scanned: list[str]


class _Report(Record):
    results: list[_Result]
    errors: list[_Error]
    paths: _Paths


class Semgrep(ToolCheck):
    """Reads the changed source files; everything when a rule changed."""

    id = "semgrep"
    name = "Semgrep"
    kind = Kind.SECURITY
    program = "semgrep"
    suffixes = frozenset()
    since = Profile.STANDARD  # it takes seconds to start
    version_arguments = ("--version", "--disable-version-check")
    per_file = True
    exits = frozenset({0, 1})

    def concerns(self, path: str) -> bool:
        """Source of any language, and the configuration that rules are written for."""
        ends = (".yml", ".yaml", ".json", ".tf", ".html", ".dockerfile")
        name = posixpath.basename(path).lower()
        return (language(path) is not None or name.endswith(ends) or name == "dockerfile") and not is_rule(
            path
        )

    def configures(self, path: str) -> bool:
        """Rules, and what is left out."""
        return is_rule(path) or path == ".semgrepignore"

    async def projects(self, context: CheckContext) -> Sequence[Project] | Skip:
        """The repository, when it has rules."""
        if not rules(context.paths):
            return Skip("the repository has no semgrep rules of its own")
        files = tuple(file for file in context.change.files if self.touches(file.path))
        return [Project("", files, "" if rules(await context.trees.listing("base")) else None)]

    async def targets(self, context: CheckContext, project: Project) -> tuple[str, ...] | None:
        """What did not change has nothing new: a finding depends on its own file and the rules."""
        changed = await super().targets(context, project)
        if context.profile is Profile.DEEP:
            return changed
        if any(self.configures(file.path) for file in project.files):
            return changed
        return tuple(file.path for file in project.files if file.exists and self.concerns(file.path))

    async def command(self, job: Job) -> list[str]:
        """JSON, nothing sent, nothing asked for."""
        options = ["--json", "--metrics=off", "--disable-version-check", "--quiet", "--no-git-ignore"]
        configs = [f"--config={path}" for path in rules(job.listing)]
        return [str(job.tool.program), "scan", *options, *configs, "--", *job.arguments]

    async def environment(self, job: Job) -> Mapping[str, str]:
        """Its settings and logs belong to this run."""
        return {
            "SEMGREP_SETTINGS_FILE": str(job.scratch / "settings.yml"),
            "SEMGREP_LOG_FILE": str(job.scratch / "semgrep.log"),
            "SEMGREP_SEND_METRICS": "off",
            "SEMGREP_ENABLE_VERSION_CHECK": "0",
        }

    def read(self, job: Job, output: Output) -> Reading:
        """Every result. Files that it could not parse are unread; an error without a file fails the run."""
        report = records(_Report, output.stdout, job=job, output=output, tool="Semgrep")
        unread = set()
        for error in report.errors:
            path = job.path(error.path) if error.path else None
            if path is None and error.level == "error":
                raise job.failed(f"Semgrep failed: {error.message[:300]}", output)
            unread |= {path} if path else set()
        scanned = {path for name in report.paths.scanned if (path := job.path(name))}
        found = tuple(
            _finding(item, job=job, output=output) for item in report.results if not item.extra.is_ignored
        )
        return Reading(found, frozenset(scanned - unread), unread=frozenset(unread))


def is_rule(path: str) -> bool:
    """Whether a file holds rules of the repository."""
    return path in _FILES or (path.startswith(_FOLDER) and path.endswith((".yml", ".yaml")))


def rules(paths: Iterable[str]) -> list[str]:
    """The files with rules, in order."""
    return sorted(path for path in paths if is_rule(path) and not path.endswith((".test.yml", ".test.yaml")))


def _finding(item: _Result, *, job: Job, output: Output) -> Finding:
    source = item.extra.metadata.get("source")
    return job.finding(
        rule=item.check_id,
        level=_LEVELS.get(item.extra.severity, Level.NOTE),
        path=required_path(item.path, job=job, output=output, tool="Semgrep"),
        line=item.start.line,
        column=item.start.col,
        end_line=item.end.line,
        message=" ".join(item.extra.message.split()),
        help_uri=source if isinstance(source, str) and source.startswith("https://") else None,
    )
