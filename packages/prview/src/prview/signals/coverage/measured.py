"""Which added lines ran, from coverage reports that lie in the work tree and are newer than the source.

A report counts for a file only when the work tree has the file exactly as it is reviewed, and the report was
written after it: one that was measured on something else would be a lie.
"""

from __future__ import annotations

import posixpath
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from prview.signals.coverage.reports import READERS, Hits, ReportError
from prview.signals.sources import read_source

if TYPE_CHECKING:
    from collections.abc import Iterable

    from prview.domain.change import ChangedFile
    from prview.signals.own import Own

MAX_REPORT_BYTES = 64 * 1024 * 1024


@dataclass(frozen=True)
class Measured:
    """The added lines of one file that can run, and those of them that did. `report` is its path."""

    report: str
    lines: frozenset[int]
    ran: frozenset[int]

    @property
    def missed(self) -> list[int]:
        """Added lines that did not run."""
        return sorted(self.lines - self.ran)


def measured(own: Own, files: Iterable[ChangedFile], worktree: Path) -> tuple[dict[str, Measured], list[str]]:
    """What reports say about the added lines of `files`, and sentences about reports that were not used."""
    found: dict[str, Measured] = {}
    remarks: dict[str, None] = {}
    reports = _reports(worktree, files, remarks)
    for file in files:
        for report, hits in reports.items():
            lines = _lines_of(hits, file.path, report, worktree)
            if lines is None:
                continue
            if not _is_current(own, worktree, file.path, report):
                remarks[
                    f"{report} is older than {file.path}, or was measured on other text: not used for it"
                ] = None
                continue
            added = frozenset(lines) & file.added_numbers
            found[file.path] = Measured(report, added, frozenset(line for line in added if lines[line]))
    return found, list(remarks)


def _reports(worktree: Path, files: Iterable[ChangedFile], remarks: dict[str, None]) -> dict[str, Hits]:
    folders = {str(folder) for file in files for folder in PurePosixPath(file.path).parents}
    found = {}
    for folder in sorted(folders):
        for name, reader in READERS.items():
            path = posixpath.normpath(posixpath.join(folder, name))
            text = read_source(worktree, path, limit=MAX_REPORT_BYTES)
            if isinstance(text, str):
                try:
                    found[path] = reader(text)
                except ReportError as exc:
                    remarks[f"{path} {exc}: not used"] = None
    return found


def _lines_of(hits: Hits, path: str, report: str, worktree: Path) -> dict[int, bool] | None:
    """The lines of a file under whichever name the report has for it."""
    folder = posixpath.dirname(report)
    folder = posixpath.dirname(folder) if posixpath.basename(folder) == "coverage" else folder
    names = [path, str(worktree / path), posixpath.relpath(path, folder or ".")]
    exact = next((hits[name] for name in names if name in hits), None)
    if exact is not None:
        return exact
    ends = [name for name in hits if name.endswith(f"/{path}")]
    return hits[ends[0]] if len(ends) == 1 else None


def _is_current(own: Own, worktree: Path, path: str, report: str) -> bool:
    text = read_source(worktree, path)
    if not isinstance(text, str) or text != own.head.text(path):
        return False
    return (worktree / report).lstat().st_mtime_ns >= (worktree / path).lstat().st_mtime_ns
