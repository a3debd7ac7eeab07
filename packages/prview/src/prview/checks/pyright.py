"""Pyright, or basedpyright where a project uses that, on both sides of the change."""

from __future__ import annotations

import posixpath
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal

from pydantic import BaseModel, ConfigDict, ValidationError

from prview.checks.configured import always, read_jsonc, strings, table, toml_section
from prview.checks.environments import locate
from prview.checks.jobs import Job, Output, Reading
from prview.checks.selected_types import SelectedTypes, Selection
from prview.checks.tools import find_own
from prview.domain.findings import Finding, Level

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from prview.checks.base import CheckContext
    from prview.checks.jobs import Project
    from prview.checks.tools import Tool

_pyright = toml_section("tool", "pyright")
_basedpyright = toml_section("tool", "basedpyright")
MARKERS: Mapping[str, Callable[[str], bool]] = {
    "pyrightconfig.json": always,
    "pyproject.toml": lambda text: _pyright(text) or _basedpyright(text),
}
_ALWAYS_OUT = ("**/node_modules", "**/__pycache__", "**/.*")
"""What pyright excludes unless the project says otherwise (pyright's documentation, `exclude`)."""

_LEVELS = {"error": Level.ERROR, "warning": Level.WARNING, "information": Level.NOTE}


class _Position(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")

    line: int
    character: int


class _Range(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")

    start: _Position
    end: _Position


class _Diagnostic(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")

    file: str
    severity: Literal["error", "warning", "information"]
    message: str
    range: _Range | None = None
    rule: str | None = None


class _Summary(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")

    filesAnalyzed: int  # noqa: N815 - pyright's name


class _Report(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")

    generalDiagnostics: list[_Diagnostic]  # noqa: N815 - pyright's name
    summary: _Summary


class Pyright(SelectedTypes):
    """Type-checks what the project has pyright check; quickly: the changed files among it."""

    id = "pyright"
    name = "Pyright"
    program = "pyright"
    configs = frozenset(MARKERS)
    also_read = SelectedTypes.also_read | {".json"}
    missing_imports = frozenset({"reportMissingImports", "reportMissingModuleSource"})

    @property
    def markers(self) -> Mapping[str, Callable[[str], bool]]:
        """A pyrightconfig.json wins over pyproject.toml."""
        return MARKERS

    def selection(self, name: str, text: str) -> Selection:
        """`include` and `exclude`; files of `ignore` are read without a word."""
        options = _options(name, text)
        exclude = strings(options.get("exclude")) or _ALWAYS_OUT
        return Selection(strings(options.get("include")), (*exclude, *strings(options.get("ignore"))))

    async def find(self, context: CheckContext, project: Project) -> Tool:
        """The one of the two that the project configures, or has."""
        _, text = await self.config(context, "head", project.folder)
        based = _basedpyright(text) and not _pyright(text)
        own = find_own("basedpyright", context.checkouts, folder=project.folder)
        if own and (based or not find_own("pyright", context.checkouts, folder=project.folder)):
            return own
        return await locate("basedpyright" if based else "pyright", context, project.folder)

    async def command(self, job: Job) -> list[str]:
        """Named files take the place of `include`; the configuration holds for them, too."""
        python = await self.python(job)
        options = ["--outputjson", *(["--pythonpath", str(python.python)] if python else [])]
        return [str(job.tool.program), *options, *([] if job.targets is None else job.arguments)]

    async def environment(self, job: Job) -> Mapping[str, str]:
        """The wrapper from PyPI otherwise looks for newer versions of itself."""
        del job
        return {"PYRIGHT_PYTHON_IGNORE_WARNINGS": "1"}

    async def examine(self, job: Job) -> Reading:
        """Pyright counts the files it analyzed; which ones follows from the configuration."""
        reading = await super().examine(job)
        if reading.examined:
            reading = replace(reading, examined=await self.selected(job))
        reading = await self.with_imports(job, await self.owned(job, reading))
        foreign = await self._answered_by_the_checkout(job)
        if not foreign:
            return reading
        blind = (
            f"modules of {', '.join(foreign)} are looked up in the checkout, where they are installed from"
        )
        return replace(reading, unseen="; ".join(part for part in (reading.unseen, blind) if part))

    async def _answered_by_the_checkout(self, job: Job) -> list[str]:
        """Editable installs that are found before the commit's own files.

        The root and `src` come first (pyright's documentation, "Import Resolution"), and so do `extraPaths`.
        """
        python = await self.python(job)
        folders = python.editable(job.context.checkouts) if python else ()
        name, text = await self.config(job.context, job.side, job.project)
        extra = (
            posixpath.normpath(job.inside(path)) for path in strings(_options(name, text).get("extraPaths"))
        )
        first = {job.project or ".", job.inside("src"), *extra}
        return [folder for folder in folders if folder not in first]

    def read(self, job: Job, output: Output) -> Reading:
        """Every diagnostic."""
        try:
            report = _Report.model_validate_json(output.stdout)
        except ValidationError as exc:
            raise job.failed(f"pyright's output cannot be read: {exc.errors()[0]['msg']}", output) from exc
        findings = tuple(_finding(item, output, job=job) for item in report.generalDiagnostics)
        looked = frozenset({"*"}) if report.summary.filesAnalyzed else frozenset()
        return Reading(findings, looked)


def _options(name: str, text: str) -> Mapping[str, Any]:
    if name.endswith(".json"):
        return read_jsonc(text) or {}
    return table(text, "tool", "pyright") or table(text, "tool", "basedpyright")


def _finding(item: _Diagnostic, output: Output, *, job: Job) -> Finding:
    path = job.path(item.file)
    if path is None:
        raise job.failed(f"pyright reports {item.file}, which is not in the tree", output)
    place = item.range
    return job.finding(
        rule=item.rule or ("syntax" if item.severity == "error" else item.severity),
        level=_LEVELS[item.severity],
        path=path,
        line=place.start.line + 1 if place else 1,
        column=place.start.character + 1 if place else None,
        end_line=place.end.line + 1 if place else None,
        message=" ".join(item.message.replace("\xa0", " ").split()),
        help_uri=_help(item.rule),
    )


def _help(rule: str | None) -> str | None:
    page = "https://github.com/microsoft/pyright/blob/main/docs/configuration.md"
    return f"{page}#{rule}" if rule else None
