"""Mypy's JSON lines as findings, all of them, or an error."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Literal

from pydantic import BaseModel, ConfigDict, ValidationError

from prview.domain.findings import Finding, Level

if TYPE_CHECKING:
    from prview.checks.jobs import Job, Output

_SOURCE = re.compile(r"^LOG:\s+Found source:\s+BuildSource\(path='([^']*)'", re.MULTILINE)
_DOCUMENTATION = "https://mypy.readthedocs.io/en/stable/_refs.html#code-"
_LEVELS = {"error": Level.ERROR, "note": Level.NOTE}


class _Line(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")

    file: str
    line: int
    column: int
    end_line: int | None = None
    message: str
    code: str | None = None
    severity: Literal["error", "note"]


def parse_mypy(output: Output, *, job: Job) -> tuple[Finding, ...]:
    """Read every line. Raises ToolOutputError for one that is not mypy's, or about a file elsewhere."""
    return tuple(_finding(line, output, job=job) for line in output.text.splitlines() if line.strip())


def sources(output: Output, *, job: Job) -> frozenset[str]:
    """The files that mypy was started on, as its log names them."""
    names = _SOURCE.findall(output.stderr.decode("utf-8", "replace"))
    return frozenset(path for name in names if (path := job.path(name)))


def _finding(text: str, output: Output, *, job: Job) -> Finding:
    try:
        line = _Line.model_validate_json(text)
    except ValidationError as exc:
        raise job.failed(f"mypy's output cannot be read: {text[:200]!r}", output) from exc
    path = job.path(line.file)
    if path is None:
        raise job.failed(f"mypy reports {line.file}, which is not in the tree", output)
    code = line.code or "misc"
    return job.finding(
        rule=code,
        level=_LEVELS[line.severity],
        path=path,
        line=line.line,
        column=line.column + 1,  # counted from 0 in this format alone
        end_line=line.end_line,
        message=line.message,
        help_uri=f"{_DOCUMENTATION}{code}",
    )
