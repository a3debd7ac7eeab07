"""Ruff's formatter, where a project uses it: files that it would lay out differently are noted."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar

from prview.checks.base import Skip, ToolUnavailableError
from prview.checks.configured import Configurations, toml_section
from prview.checks.jobs import Job, Output, Reading
from prview.checks.ruff import RuffTool, fence
from prview.checks.ruff_output import parse_ruff
from prview.domain.findings import Level

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from prview.checks.base import CheckContext
    from prview.checks.jobs import Project

_HOOKS = ".pre-commit-config.yaml"
MARKERS: Mapping[str, Callable[[str], bool]] = {
    "ruff.toml": toml_section("format"),
    ".ruff.toml": toml_section("format"),
    "pyproject.toml": toml_section("tool", "ruff", "format"),
    _HOOKS: lambda text: "id: ruff-format" in text,
}
_FAILED = 2
_UNKNOWN_OPTION = "--output-format"


class RuffFormat(RuffTool):
    """Says which files the formatter would change; never more than a note."""

    id = "ruff_format"
    name = "Ruff format"
    exits = frozenset({0, 1, _FAILED})
    _options: ClassVar[tuple[str, ...]] = ("--check", "--output-format=json", "--no-cache")

    async def projects(self, context: CheckContext) -> Sequence[Project] | Skip:
        """Only where somebody decided for this formatter."""
        configurations = Configurations(context.trees, "head", MARKERS)
        for file in context.change.files:
            if self.touches(file.path) and await configurations.above(file.path):
                return await super().projects(context)
        return Skip("the project does not configure ruff's formatter")

    async def command(self, job: Job) -> list[str]:
        """Looks only; the same files as the linter."""
        return [str(job.tool.program), "format", "--force-exclude", *self._options, "--", *job.arguments]

    async def examine(self, job: Job) -> Reading:
        """Check, then ask what was read."""
        await job.context.trees.export(job.side)
        fence(job)
        reading = await super().examine(job)
        return replace(reading, examined=await self.shown(job))

    def read(self, job: Job, output: Output) -> Reading:
        """The files that are not formatted; those that cannot be parsed are the linter's."""
        if output.returncode == _FAILED and not output.stdout.strip():
            if _UNKNOWN_OPTION in output.stderr.decode("utf-8", "replace"):
                raise ToolUnavailableError(
                    f"{job.version} does not write JSON about formatting", log=output.log
                )
            raise job.failed(f"ruff format failed: {output.last_words}", output)
        found = parse_ruff(output.stdout, job=job, log=output.log)
        return Reading(
            tuple(
                job.finding(
                    rule=item.rule,
                    level=Level.NOTE,
                    path=item.path,
                    message="ruff would format this file differently",
                    anchor="",
                )
                for item in {item.path: item for item in found if item.rule == "unformatted"}.values()
            )
        )
