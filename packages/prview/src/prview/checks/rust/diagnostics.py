"""The messages of rustc and clippy, as cargo passes them on, one JSON object a line."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import Field

from prview.checks.jobs import Job, Output, Reading
from prview.checks.records import Record, record_lines
from prview.domain.findings import Finding, Level

if TYPE_CHECKING:
    from collections.abc import Callable

_LEVELS = {"error": Level.ERROR, "error: internal compiler error": Level.ERROR, "warning": Level.WARNING}
TARGET = "target"
"""The folder in a job's scratch that cargo builds in."""

_COUNTED = ("aborting due to", "warning emitted", "warnings emitted", "could not compile")


class _Code(Record):
    code: str


class _Span(Record):
    file_name: str
    line_start: int
    line_end: int
    column_start: int
    is_primary: bool


class _Diagnostic(Record):
    level: str
    message: str
    code: _Code | None = None
    spans: list[_Span]


class _Target(Record):
    src_path: str


class _Message(Record):
    reason: Literal["compiler-message"]
    target: _Target
    message: _Diagnostic


class _Artifact(Record):
    reason: Literal["compiler-artifact"]
    target: _Target


class _Script(Record):
    reason: Literal["build-script-executed"]


class _Finished(Record):
    reason: Literal["build-finished"]
    success: bool


_Line = Annotated[_Message | _Artifact | _Script | _Finished, Field(discriminator="reason")]


def read_diagnostics(job: Job, output: Output, *, wanted: Callable[[str], bool], tool: str) -> Reading:
    """The diagnostics whose rule is `wanted`, once each: a file may be part of several targets.

    A build that failed names why; one that does not say that it is finished is no evidence. After an error
    what depends on the package was not compiled, which leaves it unseen.
    """
    findings: dict[Finding, None] = {}
    finished: bool | None = None
    broken = False
    for line in record_lines(_Line, output.stdout, job=job, output=output, tool=tool):
        if isinstance(line, _Finished):
            finished = line.success
        elif isinstance(line, _Message):
            found = _finding(line, job=job)
            broken = broken or (found is not None and found.level is Level.ERROR)
            if found is not None and wanted(found.rule):
                findings[found] = None
    if finished is None or (output.returncode == 0) != finished:
        words = output.last_words if output.stderr.strip() else "it did not come to an end"
        raise job.failed(f"{tool} failed: {words}", output)
    if not finished and not broken:
        raise job.failed(f"{tool} failed and named no error: {output.last_words}", output)
    unseen = None if finished else f"{tool} did not see what depends on code that does not compile"
    named = {finding.path for finding in findings}
    return Reading(tuple(findings), frozenset(_compiled(job) | named), unseen)


def _compiled(job: Job) -> set[str]:
    """The files of the tree that were part of a target, as the compiler listed them for cargo."""
    found = set()
    for record in (job.scratch / TARGET).glob("*/deps/*.d"):
        for line in record.read_text("utf-8", "replace").splitlines():
            path = job.path(line[:-1].replace("\\ ", " ")) if line.endswith(":") else None
            if path in job.listing:
                found.add(path or "")
    return found


def _finding(line: _Message, *, job: Job) -> Finding | None:
    """The finding at its first primary place; None for a note, a count, and other people's packages."""
    level = _LEVELS.get(line.message.level)
    if level is None or any(words in line.message.message for words in _COUNTED):
        return None
    span = next((span for span in line.message.spans if span.is_primary), None)
    path = job.path(span.file_name) if span else job.path(line.target.src_path)
    if path is None or path not in job.listing:
        return None if level is Level.WARNING else _elsewhere(line, job=job)
    rule = line.message.code.code if line.message.code else "rustc"
    return job.finding(
        rule=rule,
        level=level,
        path=path,
        line=span.line_start if span else 1,
        column=span.column_start if span else None,
        end_line=span.line_end if span else None,
        message=line.message.message,
        help_uri=_help(rule),
    )


def _elsewhere(line: _Message, *, job: Job) -> Finding:
    """An error in what a macro or a build script made: it belongs to the package."""
    path = job.path(line.target.src_path) or job.inside("Cargo.toml")
    rule = line.message.code.code if line.message.code else "rustc"
    return job.finding(rule=rule, level=Level.ERROR, path=path, message=line.message.message, anchor=rule)


def _help(rule: str) -> str | None:
    if rule.startswith("clippy::"):
        name = rule.removeprefix("clippy::")
        return f"https://rust-lang.github.io/rust-clippy/stable/index.html#{name}"
    if rule.startswith("E") and rule[1:].isdigit():
        return f"https://doc.rust-lang.org/error_codes/{rule}.html"
    return None
