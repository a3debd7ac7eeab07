"""Ruff's JSON becomes findings, all of them, or an error."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from prview.checks.base import ToolOutputError
from prview.checks.ruff_output import parse_ruff
from prview.domain.findings import Level
from support.checking import job_at

if TYPE_CHECKING:
    from pathlib import Path


def violation(tree: Path, **more: object) -> dict[str, object]:
    place = {"row": 2, "column": 5}
    return {
        "code": "F401",
        "filename": f"{tree}/a.py",
        "message": "m",
        "location": place,
        "end_location": place,
        **more,
    }


def parsed(tree: Path, *violations: object) -> list[tuple[str, str, Level, int, str]]:
    findings = parse_ruff(json.dumps(violations).encode(), job=job_at(tree, check="ruff"), log="")
    return [(f.path, f.rule, f.level, f.line, f.anchor) for f in findings]


def test_every_violation_is_read_with_the_text_of_its_line(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_bytes(b"one\n  two caf\xe9 \n")
    twice = (violation(tmp_path), violation(tmp_path, code="F821"))
    assert parsed(tmp_path, *twice) == [
        ("a.py", "F401", Level.WARNING, 2, "two caf\ufffd"),
        ("a.py", "F821", Level.ERROR, 2, "two caf\ufffd"),
    ]


@pytest.mark.parametrize("code", [None, "invalid-syntax", "E999", "F706"])
def test_what_cannot_run_is_an_error(tmp_path: Path, code: str | None) -> None:
    ((_, _, level, _, _),) = parsed(tmp_path, violation(tmp_path, code=code))
    assert level is Level.ERROR


def test_a_line_that_does_not_exist_has_no_text(tmp_path: Path) -> None:
    ((*_, anchor),) = parsed(tmp_path, violation(tmp_path, location={"row": 99, "column": 1}))
    assert anchor == ""


@pytest.mark.parametrize("data", [b"", b"{}", b"null", b"[", b'[{"code": "F401"}]', b"All checks passed!\n"])
def test_anything_else_is_an_error_and_never_no_findings(tmp_path: Path, data: bytes) -> None:
    with pytest.raises(ToolOutputError):
        parse_ruff(data, job=job_at(tmp_path, check="ruff"), log="")


def test_a_file_outside_of_the_tree_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ToolOutputError, match="not in the tree"):
        parsed(tmp_path, violation(tmp_path, filename=f"{tmp_path}-other/a.py"))
