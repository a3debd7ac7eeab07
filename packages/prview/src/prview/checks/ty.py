"""ty on both sides of the change."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Literal

from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError

from prview.checks.configured import always, strings, table, toml_section
from prview.checks.jobs import Job, Output, Reading
from prview.checks.selected_types import SelectedTypes, Selection
from prview.domain.findings import Finding, Level

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

MARKERS: Mapping[str, Callable[[str], bool]] = {
    "ty.toml": always,
    "pyproject.toml": toml_section("tool", "ty"),
}
_LEVELS = {
    "blocker": Level.ERROR,
    "critical": Level.ERROR,
    "major": Level.ERROR,
    "minor": Level.WARNING,
    "info": Level.NOTE,
}
_CHECKED = re.compile(r"DEBUG Checking file '(.+)'$", re.MULTILINE)


class _Position(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")

    line: int
    column: int


class _Positions(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")

    begin: _Position
    end: _Position


class _Location(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")

    path: str
    positions: _Positions


class _Diagnostic(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")

    check_name: str
    description: str
    severity: Literal["blocker", "critical", "major", "minor", "info"]
    location: _Location


_DIAGNOSTICS = TypeAdapter(list[_Diagnostic])


class Ty(SelectedTypes):
    """Type-checks what the project has ty check; quickly: the changed files among it."""

    id = "ty"
    name = "ty"
    program = "ty"
    configs = frozenset(MARKERS)
    noise = re.compile(r" (?:DEBUG|INFO|TRACE) ")
    missing_imports = frozenset({"unresolved-import"})

    @property
    def markers(self) -> Mapping[str, Callable[[str], bool]]:
        """A ty.toml wins over pyproject.toml."""
        return MARKERS

    def selection(self, name: str, text: str) -> Selection:
        """The table `src`."""
        options = table(text, "src") if name == "ty.toml" else table(text, "tool", "ty", "src")
        return Selection(strings(options.get("include")), strings(options.get("exclude")))

    async def command(self, job: Job) -> list[str]:
        """GitLab's format is JSON, and older than SARIF's; its log names the files that are checked."""
        python = await self.python(job)
        options = ["--output-format=gitlab", "--color=never", "-vv"]
        environment = [f"--python={python.python}"] if python else []
        first = [f"--extra-search-path={folder}" for folder in await self.first_party(job)]
        targets = [] if job.targets is None else ["--", *job.arguments]
        return [str(job.tool.program), "check", *options, *environment, *first, *targets]

    async def environment(self, job: Job) -> Mapping[str, str]:
        """A review must not depend on the configuration of who runs it."""
        return {"XDG_CONFIG_HOME": str(job.scratch / "no-configuration")}

    async def examine(self, job: Job) -> Reading:
        """Its own files."""
        reading = await super().examine(job)
        return await self.with_imports(job, await self.owned(job, reading))

    def read(self, job: Job, output: Output) -> Reading:
        """Every diagnostic."""
        try:
            items = _DIAGNOSTICS.validate_json(output.stdout)
        except ValidationError as exc:
            raise job.failed(f"ty's output cannot be read: {exc.errors()[0]['msg']}", output) from exc
        checked = _CHECKED.findall(output.stderr.decode("utf-8", "replace"))
        examined = frozenset(path for name in checked if (path := job.path(name)))
        return Reading(tuple(_finding(item, output, job=job) for item in items), examined)


def _finding(item: _Diagnostic, output: Output, *, job: Job) -> Finding:
    path = job.path(item.location.path)
    if path is None:
        raise job.failed(f"ty reports {item.location.path}, which is not in the tree", output)
    begin, end = item.location.positions.begin, item.location.positions.end
    return job.finding(
        rule=item.check_name,
        level=_LEVELS[item.severity],
        path=path,
        line=begin.line,
        column=begin.column,
        end_line=end.line,
        message=item.description.removeprefix(f"{item.check_name}: "),
        help_uri=f"https://docs.astral.sh/ty/reference/rules/#{item.check_name}",
    )
