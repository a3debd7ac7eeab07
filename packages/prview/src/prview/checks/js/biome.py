"""Biome on both sides of the change: its linter, and its formatter as notes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from prview.checks.configured import always
from prview.checks.jobs import Job, Output, Reading
from prview.checks.js.tool import SCRIPTS, JsTool
from prview.checks.records import Record, records
from prview.domain.checks import Kind
from prview.domain.findings import Finding, Level

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

MARKERS: Mapping[str, Callable[[str], bool]] = dict.fromkeys(
    ("biome.json", "biome.jsonc", ".biome.json", ".biome.jsonc"), always
)
_LEVELS = {"fatal": Level.ERROR, "error": Level.ERROR, "warning": Level.WARNING}
_LAYOUT = ("format", "assist", "organizeImports")
_UNFORMATTED = "Biome would format this file differently"


class _Position(Record):
    line: int
    column: int


class _Location(Record):
    path: str | None = None
    start: _Position | None = None
    end: _Position | None = None


class _Diagnostic(Record):
    severity: str
    message: str
    category: str | None = None
    location: _Location | None = None


class _Summary(Record):
    changed: int
    unchanged: int
    skipped: int = 0
    diagnosticsNotPrinted: int = 0  # noqa: N815 - Biome's name


class _Report(Record):
    summary: _Summary
    diagnostics: list[_Diagnostic]


class Biome(JsTool):
    """Checks the changed files that the configuration includes."""

    id = "biome"
    name = "Biome"
    kind = Kind.LINT
    program = "biome"
    suffixes = SCRIPTS | {".css", ".json", ".jsonc", ".graphql", ".vue", ".svelte", ".astro"}
    configs = frozenset(MARKERS)
    also_read = JsTool.also_read | {".grit"}
    markers = MARKERS
    exits = frozenset({0, 1})

    def runs_code(self, name: str, text: str) -> bool:
        """Its plugins are patterns, and no programs."""
        del name, text
        return False

    async def command(self, job: Job) -> list[str]:
        """JSON with everything in it; git's ignore files hold, although the tree is no repository."""
        options = ["--reporter=json", "--max-diagnostics=none", "--colors=off", "--no-errors-on-unmatched"]
        return [str(job.tool.program), "check", *options, "--", *job.arguments]

    def read(self, job: Job, output: Output) -> Reading:
        """Every diagnostic. Biome counts the files that it looked at and does not name them."""
        report = records(_Report, output.stdout, job=job, output=output, tool="Biome")
        if report.summary.diagnosticsNotPrinted:
            raise job.failed(f"Biome kept {report.summary.diagnosticsNotPrinted} diagnostics back", output)
        findings = tuple(_finding(item, output, job=job) for item in report.diagnostics)
        if output.returncode and not findings:
            raise job.failed(f"Biome failed and named nothing: {output.last_words}", output)
        looked = report.summary.changed + report.summary.unchanged
        return _reading(job, findings, looked)


def _reading(job: Job, findings: tuple[Finding, ...], looked: int) -> Reading:
    """All named files were looked at when as many were; otherwise only those with findings are known."""
    named = frozenset(finding.path for finding in findings)
    if job.targets is None:
        prefix = f"{job.project}/" if job.project else ""
        candidates = frozenset(
            path
            for path in job.listing
            if path.startswith(prefix) and path.endswith(tuple(Biome.suffixes)) and looked
        )
        return Reading(findings, candidates)
    if looked >= len(job.targets):
        return Reading(findings, frozenset(job.targets))
    unseen = f"Biome looked at {looked} of {len(job.targets)} files and does not say at which"
    return Reading(findings, named, unseen if looked else None)


def _finding(item: _Diagnostic, output: Output, *, job: Job) -> Finding:
    location = item.location or _Location()
    path = job.path(location.path) if location.path else None
    if path is None:
        raise job.failed(f"Biome could not check: {item.message}", output)
    category = item.category or "biome"
    layout = category.startswith(_LAYOUT)
    start = location.start
    return job.finding(
        rule=category.removeprefix("lint/"),
        level=Level.NOTE if layout else _LEVELS.get(item.severity, Level.NOTE),
        path=path,
        line=start.line if start else 1,
        column=start.column if start and start.column else None,
        end_line=location.end.line if location.end else None,
        message=_UNFORMATTED if category == "format" and "would" in item.message else item.message,
        anchor="" if category == "format" else None,
        help_uri=_help(category),
    )


def _help(category: str) -> str | None:
    """The page of a lint rule, `lint/style/useConst` as `use-const`."""
    if not category.startswith("lint/"):
        return None
    rule = category.rpartition("/")[2]
    words = "".join(f"-{letter.lower()}" if letter.isupper() else letter for letter in rule)
    return f"https://biomejs.dev/linter/rules/{words.removeprefix('-')}/"
