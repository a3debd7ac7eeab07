"""The JSON report that Jest has and Vitest imitates, as a run."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from prview.checks.records import Record, records, required_path
from prview.checks.suites.outcomes import Case, Run, Status, collected

if TYPE_CHECKING:
    from prview.checks.jobs import Job, Output

_STATUS = {
    "passed": Status.PASSED,
    "failed": Status.FAILED,
    **dict.fromkeys(("pending", "skipped", "todo", "disabled"), Status.SKIPPED),
}
_NOISE = re.compile(r"\x1b\[[0-9;]*m")
_HEADING = re.compile(r"^\s*(?:●.*|Test suite failed to run)?\s*$")


class _Place(Record):
    line: int


class _Assertion(Record):
    fullName: str  # noqa: N815 - the report's name
    status: str
    location: _Place | None = None
    failureMessages: list[str] | None = None  # noqa: N815 - the report's name


class _File(Record):
    name: str
    status: str
    message: str = ""
    assertionResults: list[_Assertion]  # noqa: N815 - the report's name


class _Report(Record):
    numTotalTests: int  # noqa: N815 - the report's name
    testResults: list[_File]  # noqa: N815 - the report's name
    wasInterrupted: bool = False  # noqa: N815 - the report's name


def read_report(job: Job, output: Output, data: bytes, *, tool: str) -> Run:
    """All tests. Raises ToolOutputError for a report that is none, is not complete, or hides a failure."""
    if not data.strip():
        raise job.failed(f"{tool} wrote no report: {output.last_words}", output)
    report = records(_Report, data, job=job, output=output, tool=tool)
    cases: list[Case] = []
    broken: dict[str, tuple[int, str]] = {}
    for file in report.testResults:
        path = required_path(file.name, job=job, output=output, tool=tool)
        found = [_case(item, path, job=job, output=output, tool=tool) for item in file.assertionResults]
        cases += found
        if file.status == "failed" and not any(case.status is Status.FAILED for case in found):
            broken[path] = (1, _summary(file.message))
    total = sum(len(file.assertionResults) for file in report.testResults)
    if report.wasInterrupted or total != report.numTotalTests:
        raise job.failed(f"{tool} was interrupted: {total} of {report.numTotalTests} tests ended", output)
    run = collected(cases, broken)
    if output.returncode and not (run.having(Status.FAILED) or run.broken) and run.cases:
        raise job.failed(
            f"{tool} ended with {output.returncode} and named no failed test: {output.last_words}", output
        )
    return run


def _case(item: _Assertion, path: str, *, job: Job, output: Output, tool: str) -> Case:
    if item.status not in _STATUS:
        raise job.failed(f"{tool} ended a test with {item.status!r}, which is not known", output)
    message = (item.failureMessages or [""])[0]
    line = item.location.line if item.location else _line_of(message, path)
    return Case(path, item.fullName.strip(), _STATUS[item.status], line, _summary(message))


def _line_of(message: str, path: str) -> int:
    found = re.search(rf"{re.escape(path)}:(\d+)(?::\d+)?", message)
    return int(found[1]) if found else 1


def _summary(message: str) -> str:
    """What went wrong, without colours, headings, code frames and stack."""
    lines = []
    for line in _NOISE.sub("", message).splitlines():
        if re.match(r"^\s*(?:at |> ?\d+ \||\d+ \||\| )", line):
            break
        if not _HEADING.match(line):
            lines.append(line.strip())
    return " ".join(lines)[:300]
