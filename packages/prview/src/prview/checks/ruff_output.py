"""Ruff's JSON as findings: all of them, or an error."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError

from prview.checks.base import ToolOutputError
from prview.domain.findings import Finding, Level

if TYPE_CHECKING:
    from prview.checks.jobs import Job

# What breaks when it runs, in any project: syntax errors, undefined names, and the F7 family (return outside
# of a function and the like). Ruff itself calls everything an error.
_ERRORS = re.compile(r"^(invalid-syntax|E9\d*|F7\d*|F82[123])$")


class _Position(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")

    row: int
    column: int


class _Violation(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")

    code: str | None = None
    filename: str
    message: str
    location: _Position | None = None
    end_location: _Position | None = None
    cell: int | None = None
    url: str | None = None


_VIOLATIONS = TypeAdapter(list[_Violation])


def parse_ruff(data: bytes, *, job: Job, log: str) -> tuple[Finding, ...]:
    """Read every violation.

    Raises ToolOutputError for anything that is not ruff's list, or lies outside of the tree.
    """
    try:
        violations = _VIOLATIONS.validate_json(data)
    except ValidationError as exc:
        message = f"ruff's output cannot be read: {exc.errors()[0]['msg']}"
        raise ToolOutputError(message, log=log) from exc
    return tuple(_finding(violation, job=job, log=log) for violation in violations)


def _finding(violation: _Violation, *, job: Job, log: str) -> Finding:
    name = job.path(violation.filename)
    if name is None:
        raise ToolOutputError(f"ruff reports {violation.filename}, which is not in the tree", log=log)
    place = violation.location or _Position(row=1, column=1)
    code = violation.code or "invalid-syntax"
    return job.finding(
        rule=code,
        level=Level.ERROR if _ERRORS.match(code) else Level.WARNING,
        path=name,
        line=place.row,
        column=place.column,
        end_line=violation.end_location.row if violation.end_location else None,
        message=violation.message,
        # rows of a notebook count from the top of a cell, and cells move: its findings have no line to hold
        # on to
        anchor="" if violation.cell is not None else None,
        help_uri=violation.url,
    )
