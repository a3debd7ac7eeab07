"""actionlint on both sides of the change: workflows that GitHub would refuse, or run differently."""

from __future__ import annotations

from typing import TYPE_CHECKING

from prview.checks.jobs import Job, Output, Reading
from prview.checks.records import Record, records, required_path
from prview.checks.tools import find_installed
from prview.checks.workflows.files import WorkflowTool, is_workflow
from prview.domain.checks import Kind
from prview.domain.findings import Finding, Level

if TYPE_CHECKING:
    from collections.abc import Mapping

_BROKEN = frozenset({"syntax-check", "expression"})
_HELPERS = ("shellcheck", "pyflakes")


class _Error(Record):
    message: str
    filepath: str
    line: int
    column: int = 1
    kind: str


class Actionlint(WorkflowTool):
    """Reads the changed workflows."""

    id = "actionlint"
    name = "actionlint"
    kind = Kind.LINT
    program = "actionlint"
    configs = frozenset({"actionlint.yaml", "actionlint.yml"})
    exits = frozenset({0, 1})

    def concerns(self, path: str) -> bool:
        """Workflows."""
        return is_workflow(path)

    def configures(self, path: str) -> bool:
        """Only in `.github`."""
        return path.startswith(".github/") and super().configures(path)

    async def command(self, job: Job) -> list[str]:
        """JSON; the configuration is named, since it is looked for beside a `.git` only."""
        config = next((path for path in sorted(job.listing) if self.configures(path)), None)
        chosen = [f"-config-file={config}"] if config else []
        return [str(job.tool.program), "-format={{json .}}", "-no-color", *chosen, "--", *self.named(job)]

    async def outside(self, job: Job) -> str:
        """It asks other linters about scripts when they are there."""
        del job
        found: Mapping[str, object] = {name: find_installed(name) for name in _HELPERS}
        return str(found)

    def read(self, job: Job, output: Output) -> Reading:
        """Every error."""
        errors = records(list[_Error], output.stdout, job=job, output=output, tool="actionlint")
        if output.returncode and not errors:
            raise job.failed(f"actionlint failed and named nothing: {output.last_words}", output)
        found = tuple(_finding(error, job=job, output=output) for error in errors)
        return Reading(found, frozenset(self.named(job)))


def _finding(error: _Error, *, job: Job, output: Output) -> Finding:
    return job.finding(
        rule=error.kind,
        level=Level.ERROR if error.kind in _BROKEN else Level.WARNING,
        path=required_path(error.filepath, job=job, output=output, tool="actionlint"),
        line=error.line,
        column=error.column,
        message=error.message,
        help_uri="https://github.com/rhysd/actionlint/blob/main/docs/checks.md",
    )
