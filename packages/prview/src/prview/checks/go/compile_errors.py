"""What Go's compiler says about packages that do not build: lines of `file:line:column: message`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from prview.domain.findings import Finding, Level

if TYPE_CHECKING:
    from prview.checks.jobs import Job, Output

_AT = re.compile(
    r"^(?:vet: )?(?P<path>[^\s:][^:]*\.(?:go|s|c|h)):(?P<line>\d+)(?::(?P<column>\d+))?: (?P<text>.+)$"
)
_NOISE = re.compile(r"^(?:# |go: downloading |go: finding |\s*$|FAIL\b|too many errors|\ttoo many errors)")
_PACKAGE = re.compile(r"^package \S+$|^\s+imports \S+")


def compile_errors(job: Job, output: Output, text: str, *, tool: str) -> tuple[Finding, ...]:
    """Every error. Raises ToolOutputError for a line that is none."""
    found: list[Finding] = []
    for line in text.splitlines():
        match = _AT.match(line)
        path = job.path(match["path"]) if match else None
        if match and path:
            found.append(_finding(match, path, job=job))
        elif found and line.startswith(("\t", " ")):
            continue  # the rest of a message
        elif not _NOISE.match(line) and not _PACKAGE.match(line):
            raise job.failed(f"{tool}'s output cannot be read: {line[:200]}", output)
    return tuple(dict.fromkeys(found))


def _finding(match: re.Match[str], path: str, *, job: Job) -> Finding:
    return job.finding(
        rule="compile",
        level=Level.ERROR,
        path=path,
        line=int(match["line"]),
        column=int(match["column"]) if match["column"] else None,
        message=match["text"],
    )
