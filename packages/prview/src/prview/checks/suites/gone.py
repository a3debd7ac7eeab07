"""Tests of the merge base that no run on the head can miss: nothing is left that would run them.

A suite that is removed as a whole, with or without the configuration of its runner, has no outcome that
could be compared. What the diff says is enough: a test of the base whose file is gone is named like every
other test that no longer runs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from prview.checks.suites.judging import NOT_RUN
from prview.domain.findings import Finding, Judged, Level, Provenance

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from prview.domain.change import ChangedFile


def removed_tests(files: Iterable[ChangedFile], is_test: Callable[[str], bool]) -> list[str]:
    """Test files of the base that are deleted, or have a name now under which no runner looks for tests."""
    there = ((file, file.old_path or file.path) for file in files if file.status != "A")
    return [old for file, old in there if is_test(old) and not (file.exists and is_test(file.path))]


def removed(paths: Iterable[str], *, check: str) -> list[Judged]:
    """A finding for each test file that is gone."""
    return [
        _lost(check, path, f"the tests of {path} no longer run: the file is removed", removed=True)
        for path in sorted(paths)
    ]


def dropped(config: str, tests: Iterable[str], *, check: str, name: str, there: bool) -> Judged:
    """A finding for a runner that is not set up any more while the tests which it ran are still there."""
    files = sorted(tests)
    count = f"{len(files)} test files" if len(files) > 1 else "1 test file"
    message = f"{count} of the base no longer run ({files[0]}): the project does not use {name} any more"
    return _lost(check, config, message, removed=not there)


def _lost(check: str, path: str, message: str, *, removed: bool) -> Judged:
    finding = Finding(
        check=check,
        rule=NOT_RUN,
        level=Level.WARNING,
        path=path,
        line=1,
        message=message,
        anchor=message,
        subject=path,
        removed=removed,
    )
    return Judged(finding, Provenance.INTRODUCED, 0, on_added_line=False)
