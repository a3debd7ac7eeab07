"""A review that is over, without git and tools: what packs and their texts are made of."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from prview.domain.change import Base, Change, ChangedFile, Commit
from prview.domain.checks import CheckResult, Kind, State
from prview.domain.findings import Finding, Judged, Level, Provenance
from prview.service.packing import Reviewed

if TYPE_CHECKING:
    from collections.abc import Sequence

HEAD, BASE = "c" * 40, "b" * 40


def patch_of(path: str, *lines: str, start: int = 1) -> bytes:
    """One file's patch with one hunk; every line begins with its mark."""
    old = sum(not line.startswith("+") for line in lines)
    new = sum(not line.startswith("-") for line in lines)
    head = f"diff --git a/{path} b/{path}\nindex {'1' * 40}..{'2' * 40} 100644\n--- a/{path}\n+++ b/{path}\n"
    body = "".join(f"{line}\n" for line in lines)
    return f"{head}@@ -{start},{old} +{start},{new} @@\n{body}".encode("utf-8", "surrogateescape")


def changed_file(path: str, *lines: str, start: int = 1, **more: Any) -> ChangedFile:
    """A modified file with the counts of its lines."""
    added = sum(line.startswith("+") for line in lines)
    deleted = sum(line.startswith("-") for line in lines)
    values: dict[str, Any] = {"status": "M", "added": added, "deleted": deleted, **more}
    return ChangedFile(path, patch=patch_of(path, *lines, start=start), **values)


def commit(number: int, subject: str, patch: bytes = b"") -> Commit:
    """The commit of that number."""
    return Commit(f"{number:040x}", "Ada", "ada@example.invalid", "2026-01-01T00:00:00.000Z", subject, patch)


def finding(path: str, line: int, *, new: bool = True, **more: Any) -> Judged:
    """A finding of `ruff` unless said otherwise."""
    values: dict[str, Any] = {
        "check": "ruff",
        "rule": "F401",
        "level": Level.WARNING,
        "message": "unused import",
    }
    values |= more
    where = Provenance.INTRODUCED if new else Provenance.PREEXISTING
    return Judged(Finding(path=path, line=line, anchor=f"line {line}", **values), where, 0, on_added_line=new)


def result(name: str, *judged: Judged, kind: Kind = Kind.LINT, **more: Any) -> CheckResult:
    """An executed check."""
    values: dict[str, Any] = {"state": State.EXECUTED, "judged": judged, **more}
    return CheckResult(name, name.title(), kind, **values)


def change_of(files: Sequence[ChangedFile], commits: Sequence[Commit] = (), **more: Any) -> Change:
    """The branch `topic` against `main`."""
    patch = b"".join(file.patch for file in files)
    values: dict[str, Any] = {"patch": patch, **more}
    return Change("topic", "topic", HEAD, (Base("main", BASE),), BASE, tuple(files), tuple(commits), **values)


def reviewed(change: Change, *results: CheckResult, **more: Any) -> Reviewed:
    """All of it, under the names of a first run."""
    values: dict[str, Any] = {
        "profile": "quick",
        "run_id": "20260102-000000-ccccccc",
        "repo_key": "repo",
        "branch_key": "topic",
        "started_at": "2026-01-02T00:00:00.000Z",
        "generated_at": "2026-01-02T00:00:01.000Z",
        **more,
    }
    return Reviewed(change=change, results=results, **values)


_TIMES = re.compile(
    rb"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?Z)?"  # moments
    rb"|\d{8}-\d{6}(?=-[0-9a-f]{7})"  # in the ids of runs
    rb'|(?<="duration_secs": )[\d.]+|(?<=\| )\d+\.\d(?= \|)|(?<=>)[\d.]+ s(?=<)'  # durations
    rb"|(?<=, )[\d.]+ s(?=\])"  # and in logs
)


def timeless(content: bytes) -> bytes:
    """A file of a pack without moments and durations: what must be equal for equal reviews."""
    return _TIMES.sub(b"*", content)
