"""zizmor on both sides of the change: what an attacker may make of a workflow."""

from __future__ import annotations

from typing import TYPE_CHECKING

from prview.checks.jobs import Job, Output, Reading
from prview.checks.records import Record, records, required_path
from prview.checks.workflows.files import WorkflowTool, is_action, is_workflow
from prview.domain.findings import Finding, Level

if TYPE_CHECKING:
    from collections.abc import Mapping

_LEVELS = {"High": Level.WARNING, "Medium": Level.WARNING}


class _Local(Record):
    verbatim_path: str


class _Key(Record):
    Local: _Local


class _Symbolic(Record):
    key: _Key
    annotation: str
    kind: str = "Primary"


class _Point(Record):
    row: int
    column: int


class _Span(Record):
    start_point: _Point
    end_point: _Point


class _Concrete(Record):
    location: _Span


class _Location(Record):
    symbolic: _Symbolic
    concrete: _Concrete


class _Determinations(Record):
    severity: str
    confidence: str


class _Finding(Record):
    ident: str
    desc: str
    url: str | None = None
    determinations: _Determinations
    locations: list[_Location]
    ignored: bool = False


class Zizmor(WorkflowTool):
    """Audits the changed workflows and actions, without asking anybody on the network."""

    id = "zizmor"
    name = "zizmor"
    program = "zizmor"
    configs = frozenset({"zizmor.yml", "zizmor.yaml"})
    exits = frozenset({0, 1, 3})

    def concerns(self, path: str) -> bool:
        """Workflows and actions."""
        return is_workflow(path) or is_action(path)

    async def command(self, job: Job) -> list[str]:
        """JSON about the named files; one that it cannot read is an error."""
        options = ["--offline", "--no-progress", "--format=json-v1", "--no-exit-codes", "--strict-collection"]
        config = next((path for path in sorted(job.listing) if self.configures(path)), None)
        chosen = [f"--config={config}"] if config else ["--no-config"]
        return [str(job.tool.program), *options, *chosen, "--", *self.named(job)]

    async def environment(self, job: Job) -> Mapping[str, str]:
        """No configuration of whoever runs it, and nothing for a terminal."""
        del job
        return {"ZIZMOR_OFFLINE": "true", "RUST_BACKTRACE": "0"}

    def read(self, job: Job, output: Output) -> Reading:
        """Every finding at its first primary place. A file that it cannot read ends it."""
        if output.returncode:
            said = output.stderr.decode("utf-8", "replace").splitlines()
            why = [line.strip() for line in said if line.startswith("failed to load ")]
            raise job.failed(f"zizmor could not audit: {(why or [output.last_words])[0]}", output)
        items = records(list[_Finding], output.stdout, job=job, output=output, tool="zizmor")
        found = tuple(_finding(item, job=job, output=output) for item in items if not item.ignored)
        return Reading(found, frozenset(self.named(job)))


def _finding(item: _Finding, *, job: Job, output: Output) -> Finding:
    places = sorted(item.locations, key=lambda place: place.symbolic.kind != "Primary")
    if not places:
        raise job.failed(f"zizmor does not say where {item.ident} is", output)
    place = places[0]
    span = place.concrete.location
    severity = item.determinations.severity
    return job.finding(
        rule=item.ident,
        level=_LEVELS.get(severity, Level.NOTE),
        path=required_path(place.symbolic.key.Local.verbatim_path, job=job, output=output, tool="zizmor"),
        line=span.start_point.row + 1,
        column=span.start_point.column + 1,
        end_line=span.end_point.row + 1,
        message=f"{item.desc}: {place.symbolic.annotation} (severity {severity.lower()}, "
        f"confidence {item.determinations.confidence.lower()})",
        help_uri=item.url,
    )
