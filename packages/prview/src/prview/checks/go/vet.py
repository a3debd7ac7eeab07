"""`go vet` on both sides of the change; it compiles, so what does not compile is found here, too."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from prview.checks.go.compile_errors import compile_errors
from prview.checks.go.golang import GoTool, missing_modules
from prview.checks.jobs import Job, Output, Reading
from prview.checks.records import Record, record
from prview.domain.checks import Kind
from prview.domain.findings import Finding, Level

if TYPE_CHECKING:
    from collections.abc import Iterator

_POSITION = re.compile(r"^(?P<path>.+?):(?P<line>\d+)(?::(?P<column>\d+))?$")


class _Diagnostic(Record):
    posn: str
    message: str


class _Failure(Record):
    error: str


_Packages = dict[str, dict[str, list[_Diagnostic] | _Failure]]


class GoVet(GoTool):
    """Every package of the module with its tests."""

    id = "go_vet"
    name = "go vet"
    kind = Kind.TYPES
    program = "go"
    exits = frozenset({0, 1, 2})

    async def command(self, job: Job) -> list[str]:
        """JSON for what compiles; the compiler's lines for what does not."""
        return [str(job.tool.program), "vet", "-json", "./..."]

    def read(self, job: Job, output: Output) -> Reading:
        """Objects and lines take turns, on the error stream (before Go 1.25) or on the other one."""
        missing = missing_modules(output) if output.returncode else None
        if missing:
            raise missing
        findings: list[Finding] = []
        rest: list[str] = []
        for stream in (output.stdout, output.stderr):
            objects, lines = _parts(stream.decode("utf-8", "replace"))
            rest += lines
            for value in objects:
                findings += _diagnostics(value, job=job, output=output)
        findings += compile_errors(job, output, "\n".join(rest), tool="go vet")
        if output.returncode and not findings:
            raise job.failed(f"go vet failed: {output.last_words}", output)
        broken = any(finding.rule == "compile" for finding in findings)
        unseen = "go vet did not see packages that do not compile" if broken else None
        return Reading(tuple(dict.fromkeys(findings)), self.sources(job), unseen)


def _parts(text: str) -> tuple[list[Any], list[str]]:
    """The JSON objects of a text, and the lines around them."""
    decoder = json.JSONDecoder()
    objects: list[Any] = []
    lines: list[str] = []
    while text:
        if text.startswith("{"):
            try:
                value, end = decoder.raw_decode(text)
            except (ValueError, RecursionError):
                return objects, [*lines, *text.splitlines()]
            objects.append(value)
            text = text[end:].lstrip()
        else:
            line, _, text = text.partition("\n")
            lines.append(line)
    return objects, lines


def _diagnostics(value: object, *, job: Job, output: Output) -> Iterator[Finding]:
    packages = record(_Packages, value, job=job, output=output, tool="go vet")
    for analyzers in packages.values():
        for name, items in analyzers.items():
            if isinstance(items, _Failure):
                raise job.failed(f"go vet's {name} failed: {items.error}", output)
            for item in items:
                yield _finding(name, item, job=job, output=output)


def _finding(name: str, item: _Diagnostic, *, job: Job, output: Output) -> Finding:
    place = _POSITION.match(item.posn)
    path = job.path(place["path"]) if place else None
    if place is None or path is None:
        raise job.failed(f"go vet reports {item.posn}, which is not in the tree", output)
    return job.finding(
        rule=name,
        level=Level.WARNING,
        path=path,
        line=int(place["line"]),
        column=int(place["column"]) if place["column"] else None,
        message=item.message,
        help_uri=f"https://pkg.go.dev/golang.org/x/tools/go/analysis/passes/{name}",
    )
