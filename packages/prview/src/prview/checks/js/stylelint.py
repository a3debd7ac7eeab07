"""Stylelint on both sides of the change."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from prview.checks.configured import always
from prview.checks.jobs import Job, Output, Reading
from prview.checks.js.tool import STYLES, JsTool, local_reference, package_key
from prview.checks.records import Record, records, required_path
from prview.domain.checks import Kind
from prview.domain.findings import Finding, Level

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

_PROGRAMS = tuple(
    f"{name}.{end}" for name in ("stylelint.config", ".stylelintrc") for end in ("js", "mjs", "cjs", "ts")
)
MARKERS: Mapping[str, Callable[[str], bool]] = {
    **dict.fromkeys(_PROGRAMS, always),
    **dict.fromkeys((".stylelintrc", ".stylelintrc.json", ".stylelintrc.yml", ".stylelintrc.yaml"), always),
    "package.json": package_key("stylelint"),
}
_SYNTAX = "CssSyntaxError"
_FOUND = 2


class _Warning(Record):
    line: int = 1
    column: int = 1
    endLine: int | None = None  # noqa: N815 - Stylelint's name
    rule: str
    severity: str
    text: str


class _File(Record):
    source: str | None
    ignored: bool = False
    warnings: list[_Warning]
    invalidOptionWarnings: tuple[dict[str, str], ...] = ()  # noqa: N815 - Stylelint's name


class Stylelint(JsTool):
    """Lints the changed style sheets; everything when the configuration changed, and in the deep profile."""

    id = "stylelint"
    name = "Stylelint"
    kind = Kind.LINT
    program = "stylelint"
    suffixes = STYLES
    configs = frozenset((*MARKERS, ".stylelintignore"))
    also_read = JsTool.also_read | {".js", ".cjs", ".mjs", ".yml", ".yaml"}
    markers = MARKERS
    exits = frozenset({0, 1, _FOUND})

    def runs_code(self, name: str, text: str) -> bool:
        """Programs do, and data that names plugins of the repository."""
        return name in _PROGRAMS or local_reference(text)

    async def command(self, job: Job) -> list[str]:
        """Its JSON; without targets every style sheet below the folder."""
        ends = ",".join(sorted(end.removeprefix(".") for end in STYLES))
        targets = [f"**/*.{{{ends}}}"] if job.targets is None else job.arguments
        return [str(job.tool.program), "--formatter=json", "--allow-empty-input", "--", *targets]

    async def examine(self, job: Job) -> Reading:
        """Say when plugins are of another version than the commit asks for."""
        reading = await super().examine(job)
        return replace(reading, unseen=await self.with_packages(job, reading))

    def read(self, job: Job, output: Output) -> Reading:
        """Every warning. From version 16 on the report is on the error stream."""
        said = output.stdout.strip() or output.stderr.strip()
        if output.returncode == 1:
            raise job.failed(f"Stylelint failed: {output.last_words}", output)
        files = records(list[_File], said, job=job, output=output, tool="Stylelint")
        findings: list[Finding] = []
        examined: set[str] = set()
        for file in files:
            if file.source is None or file.ignored:
                continue
            if file.invalidOptionWarnings:
                raise job.failed(
                    f"Stylelint refuses its configuration: {file.invalidOptionWarnings[0].get('text')}",
                    output,
                )
            path = required_path(file.source, job=job, output=output, tool="Stylelint")
            examined.add(path)
            findings += [_finding(item, path, job=job) for item in file.warnings]
        if output.returncode and not findings:
            raise job.failed("Stylelint failed and named nothing", output)
        return Reading(tuple(findings), frozenset(examined))


def _finding(item: _Warning, path: str, *, job: Job) -> Finding:
    own = "/" not in item.rule and item.rule != _SYNTAX
    return job.finding(
        rule=item.rule,
        level=Level.ERROR if item.severity == "error" else Level.WARNING,
        path=path,
        line=item.line,
        column=item.column,
        end_line=item.endLine,
        message=item.text.removesuffix(f" ({item.rule})"),
        help_uri=f"https://stylelint.io/user-guide/rules/{item.rule}" if own else None,
    )
