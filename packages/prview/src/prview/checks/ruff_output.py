"""Ruff's JSON as findings: all of them, or an error."""

from __future__ import annotations

import re
from pathlib import Path

from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError

from prview.checks.base import ToolOutputError
from prview.domain.findings import Finding, Level

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


def parse_ruff(data: bytes, *, tree: Path, log: str) -> tuple[Finding, ...]:
    """Read every violation.

    Raises ToolOutputError for anything that is not ruff's list, or lies outside of `tree`.
    """
    try:
        violations = _VIOLATIONS.validate_json(data)
    except ValidationError as exc:
        message = f"ruff's output cannot be read: {exc.errors()[0]['msg']}"
        raise ToolOutputError(message, log=log) from exc
    lines = _Lines(tree)
    return tuple(_finding(violation, lines, tree=tree, log=log) for violation in violations)


def _finding(violation: _Violation, lines: _Lines, *, tree: Path, log: str) -> Finding:
    name = violation.filename
    if Path(name).is_absolute():
        if not name.startswith(f"{tree}/"):
            raise ToolOutputError(f"ruff reports {name}, which is not in the tree", log=log)
        name = name.removeprefix(f"{tree}/")
    place = violation.location or _Position(row=1, column=1)
    code = violation.code or "invalid-syntax"
    return Finding(
        check="ruff",
        rule=code,
        level=Level.ERROR if _ERRORS.match(code) else Level.WARNING,
        path=name,
        line=max(place.row, 1),
        column=max(place.column, 1),
        end_line=violation.end_location.row if violation.end_location else None,
        message=violation.message,
        # rows of a notebook count from the top of a cell, and cells move: its findings have no line to hold
        # on to
        anchor="" if violation.cell is not None else lines.text(name, place.row),
        help_uri=violation.url,
    )


class _Lines:
    """The lines of the files of a tree, each read once."""

    def __init__(self, tree: Path) -> None:
        self._tree = tree
        self._files: dict[str, list[bytes]] = {}

    def text(self, path: str, number: int) -> str:
        """Return a line, stripped; empty when the file has no such line."""
        if path not in self._files:
            file = self._tree / path
            self._files[path] = file.read_bytes().split(b"\n") if file.is_file() else []
        lines = self._files[path]
        return lines[number - 1].strip().decode("utf-8", "replace") if 0 < number <= len(lines) else ""
