"""Ruff's linter on both sides of the change.

A project with a ruff configuration is read under it; one without under ruff's own defaults, as a plain
`ruff check` in a checkout reads it, and under no configuration that happens to lie above our folder or in the
user's home.
"""

from __future__ import annotations

import os
from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar

from prview.checks.external import ToolCheck
from prview.checks.jobs import Job, Output, Project, Reading
from prview.checks.ruff_output import parse_ruff
from prview.domain.checks import Kind

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from prview.checks.base import CheckContext, Skip
    from prview.domain.findings import Finding

NO_CONFIGURATION = ""
"""What holds where the project says nothing: an empty configuration, which leaves ruff its defaults."""


class RuffTool(ToolCheck):
    """What the linter and the formatter of ruff share."""

    kind = Kind.LINT
    program = "ruff"
    suffixes = frozenset({".py", ".pyi", ".ipynb"})
    configs = frozenset({"ruff.toml", ".ruff.toml", "pyproject.toml"})
    also_read = frozenset({".toml", ".gitignore", ".ignore"})
    per_file = True

    async def projects(self, context: CheckContext) -> Sequence[Project] | Skip:
        """One: ruff finds the configuration nearest to each file itself."""
        files = tuple(file for file in context.change.files if self.touches(file.path))
        return [Project("", files)]

    async def environment(self, job: Job) -> Mapping[str, str]:
        """A review must not depend on the configuration of who runs it."""
        return {"XDG_CONFIG_HOME": str(job.scratch / "no-configuration")}

    async def outside(self, job: Job) -> str:
        """What holds for files without a configuration of their own."""
        del job
        return f"without configuration: {NO_CONFIGURATION or 'defaults'}"

    async def shown(self, job: Job) -> frozenset[str]:
        """The files that ruff really reads: a project's `exclude` holds for named files, too."""
        fence(job)
        argv = [str(job.tool.program), "check", "--show-files", "--force-exclude", "--", *job.arguments]
        output = await job.run(argv)
        if output.returncode != 0:
            raise job.failed("ruff --show-files failed", output)
        names = (job.path(line) for line in output.text.splitlines())
        return frozenset(name for name in names if name)


class Ruff(RuffTool):
    """Lints Python files with the project's ruff."""

    id = "ruff"
    name = "Ruff"
    _options: ClassVar[tuple[str, ...]] = ("--output-format=json", "--exit-zero", "--no-cache", "--no-fix")

    async def command(self, job: Job) -> list[str]:
        """Ruff's own JSON; findings are no failure."""
        return [str(job.tool.program), "check", "--force-exclude", *self._options, "--", *job.arguments]

    async def examine(self, job: Job) -> Reading:
        """Lint, then ask what was read."""
        await job.context.trees.export(job.side)
        fence(job)
        reading = await super().examine(job)
        return replace(reading, examined=await self.shown(job))

    def read(self, job: Job, output: Output) -> Reading:
        """All of ruff's list; the log has it, too, so that the finding can be held against it."""
        found = parse_ruff(output.stdout, job=job, log=output.log)
        job.log.append(readable(found))
        return Reading(found)


def readable(found: Sequence[Finding]) -> str:
    """The findings as ruff's concise output has them."""
    lines = (f"{item.path}:{item.line}:{item.column or 1}: {item.rule} {item.message}" for item in found)
    return "".join(f"{line}\n" for line in lines) or "no findings\n"


def fence(job: Job) -> None:
    """Put the configuration of those without one above the tree: ruff looks upwards and stops there."""
    path = job.tree.parent / "ruff.toml"
    try:
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
            file.write(NO_CONFIGURATION)
    except FileExistsError:
        return
