"""Two runs of a suite compared: what fails now, and which tests of the merge base run no longer."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from prview.checks.suites.outcomes import Case, Run, Status
from prview.domain.findings import Finding, Judged, Level, Provenance

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

FAILED, BROKEN, NOT_RUN = "failed", "collection", "not-run"


def failures(run: Run, *, check: str, without: Collection[str] = ()) -> list[Finding]:
    """Failed tests and files that could not be loaded; anchors are names: renamed files are followed."""
    tests = [
        _finding(check, FAILED, case.path, case.line, f"{case.name} failed", case.message, anchor=case.name)
        for name, case in sorted(run.cases.items())
        if case.status is Status.FAILED and name not in without
    ]
    files = [
        _finding(check, BROKEN, path, line, "the tests of this file cannot be run", message, anchor="")
        for path, (line, message) in sorted(run.broken.items())
    ]
    return tests + files


def no_longer_run(
    head: Run, base: Run, *, check: str, renames: Mapping[str, str], there: Collection[str]
) -> tuple[Judged, ...]:
    """Findings that name the tests which ran on the merge base and do not on the head.

    `there` are the head's files. A test that runs in another file under its name has moved. Where
    files cannot be loaded, the tests that went with them are not named one by one: the files are.
    """
    moved = {family.partition("::")[2] for family in head.ran - base.ran}
    skipped = {case.family: case for case in head.cases.values() if case.status is Status.SKIPPED}
    lost: dict[str, tuple[str, Case | None]] = {}
    for family in sorted(base.ran):
        file, _, name = family.partition("::")
        now = f"{renames.get(file, file)}::{name}"
        path = now.partition("::")[0]
        if now in head.ran or (head.broken and path in there and path not in head.files):
            continue
        if now in skipped:
            case = skipped[now]
            lost[now] = (f"skipped: {case.message}" if case.message else "skipped"), case
        elif name not in moved:
            lost[now] = ("it is not there any more" if path in there else "its file is removed"), None
    return tuple(_lost(now, reason, case, check=check) for now, (reason, case) in lost.items())


def _lost(now: str, reason: str, case: Case | None, *, check: str) -> Judged:
    path, _, name = now.partition("::")
    finding = Finding(
        check=check,
        rule=NOT_RUN,
        level=Level.WARNING,
        path=path,
        line=case.line if case else 1,
        message=f"test {name} of the base no longer runs: {reason}",
        anchor=f"{name}: {reason}",
        subject=name,
        removed=case is None,
    )
    return Judged(finding, Provenance.INTRODUCED, 0, on_added_line=False)


def no_evidence(run: Run) -> str | None:
    """Why a run says nothing about the code although nothing failed, as the end of a sentence."""
    if run.broken:
        return None
    if not run.cases:
        return "ran no test"
    if len(run.having(Status.SKIPPED)) == len(run.cases):
        return f"skipped all {len(run.cases)} tests: nothing was run"
    return None


def by_file(run: Run, ids: Collection[str]) -> dict[str, list[Case]]:
    """Those tests by file."""
    found: dict[str, list[Case]] = defaultdict(list)
    for name in sorted(ids):
        found[run.cases[name].path].append(run.cases[name])
    return dict(found)


def _finding(check: str, rule: str, path: str, line: int, what: str, why: str, *, anchor: str) -> Finding:
    return Finding(
        check=check,
        rule=rule,
        level=Level.ERROR,
        path=path,
        line=max(line, 1),
        message=f"{what}: {why}" if why else what,
        anchor=anchor,
    )
