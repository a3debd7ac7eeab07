"""Captured output of tools (see captured/README.md), and jobs that such output is read for."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from support.checking import job_at, said

if TYPE_CHECKING:
    from collections.abc import Sequence

    from prview.checks.jobs import Job, Output

_HERE = Path(__file__).parent / "captured"


def captured(name: str) -> str:
    """What a tool printed, with its placeholders."""
    return (_HERE / name).read_text(encoding="utf-8")


def job_on(tree: Path, *paths: str, check: str, targets: Sequence[str] | None = None) -> Job:
    """A job on a side that has these files."""
    job = job_at(tree, check=check, targets=targets)
    return replace(job, listing=dict.fromkeys(paths, "100644 0"))


def printed(tree: Path, stdout: str, stderr: str = "", *, code: int = 0) -> Output:
    """A run that printed this."""
    return said(stdout, stderr, code=code, tree=tree)
