"""`cargo test`: the tests of the workspaces that a change touches, documentation tests among them."""

from __future__ import annotations

import os
import posixpath
import re
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import Field

from prview.checks.base import Skip
from prview.checks.records import Record, record_lines
from prview.checks.rust.cargo import CONFIGS, HOMES, MANIFEST, cargo_environment, missing_packages, workspaces
from prview.checks.rust.libtest import NotCountedError, Test, read_targets
from prview.checks.suites.check import SuiteCheck
from prview.checks.suites.outcomes import Case, Run, Status, collected
from prview.checks.tools import Tool, find_installed, missing_tool

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from prview.checks.base import CheckContext
    from prview.checks.jobs import Job, Output, Project
    from prview.domain.findings import Judged

_ENDS = {"ok": Status.PASSED, "FAILED": Status.FAILED, "ignored": Status.SKIPPED}
_STARTED = re.compile(r"^\s+(?:Running .*\((?P<program>[^()]+)\)|Doc-tests (?P<docs>\S+))$", re.MULTILINE)


class _Span(Record):
    file_name: str
    line_start: int
    is_primary: bool


class _Diagnostic(Record):
    level: str
    message: str
    spans: list[_Span]


class _Message(Record):
    reason: Literal["compiler-message"]
    message: _Diagnostic


class _Target(Record):
    src_path: str


class _Artifact(Record):
    reason: Literal["compiler-artifact"]
    target: _Target
    executable: str | None = None


class _Other(Record):
    reason: Literal["build-script-executed", "build-finished"]


_Line = Annotated[_Message | _Artifact | _Other, Field(discriminator="reason")]


class CargoTest(SuiteCheck):
    """All targets of a workspace."""

    id = "cargo_test"
    name = "cargo test"
    program = "cargo"
    languages = frozenset({"Rust"})
    names_tell = False
    variables = HOMES

    def is_test(self, path: str) -> bool:
        """Any Rust file may hold tests."""
        return path.endswith(".rs")

    def configures(self, path: str) -> bool:
        """The manifests."""
        return posixpath.basename(path) in CONFIGS

    async def gone(self, context: CheckContext, projects: Sequence[Project]) -> list[Judged]:
        """Nothing: a name does not tell a file with tests from one without, and those left are run."""
        del context, projects
        return []

    async def projects(self, context: CheckContext) -> Sequence[Project] | Skip:
        """The workspaces of the changed files."""
        found = await workspaces(context, self.concerns)
        return found or Skip("no Cargo.toml is above the changed files")

    async def find(self, context: CheckContext, project: Project) -> Tool:
        """Cargo as it is installed for the user."""
        del context, project
        cargo = find_installed("cargo")
        if cargo is None:
            raise missing_tool("cargo")
        return cargo

    async def environment(self, job: Job) -> Mapping[str, str]:
        """Offline, with a target folder of our own."""
        return {**cargo_environment(job), "RUST_BACKTRACE": "0"}

    async def execute(self, job: Job, only: Mapping[str, Sequence[Case]] | None) -> Run:
        """Run all targets, also after one that failed."""
        options = ["--workspace", "--no-fail-fast", "--offline", "--message-format=json"]
        names = sorted({case.group for cases in (only or {}).values() for case in cases})
        chosen = ["--", "--exact", *names] if names else []
        return read_run(job, await job.run([str(job.tool.program), "test", *options, *chosen]))


def read_run(job: Job, output: Output) -> Run:
    """All tests. Raises a CheckProblem for what does not add up, or a failure that nothing explains."""
    missing = missing_packages(output) if output.returncode else None
    if missing:
        raise missing
    sources: dict[str, str] = {}
    broken: dict[str, tuple[int, str]] = {}
    for line in record_lines(_Line, output.stdout, job=job, output=output, tool="cargo test"):
        if isinstance(line, _Artifact) and line.executable:
            sources[line.executable] = line.target.src_path
        elif isinstance(line, _Message) and line.message.level == "error":
            _break(job, line.message, broken)
    started = list(_STARTED.finditer(output.stderr.decode("utf-8", "replace")))
    try:
        targets = read_targets(output.text)
    except NotCountedError as exc:
        raise job.failed(f"cargo test's output cannot be read: {exc}", output) from exc
    if len(targets) != len(started):
        raise job.failed(
            f"{len(started)} test programs were started and {len(targets)} reported: "
            "a target with a harness of its own cannot be read",
            output,
        )
    cases = [
        _case(job, test, _source(job, match["program"], sources))
        for match, tests in zip(started, targets, strict=True)
        for test in tests
    ]
    run = collected(cases, broken)
    if output.returncode and not (run.having(Status.FAILED) or run.broken):
        raise job.failed(f"cargo test failed and named no test: {output.last_words}", output)
    return run


def _break(job: Job, message: _Diagnostic, broken: dict[str, tuple[int, str]]) -> None:
    """Remember the first error of a file that does not compile."""
    span = next((span for span in message.spans if span.is_primary), None)
    path = job.path(span.file_name) if span else None
    if span and path in job.listing and path is not None:
        broken.setdefault(path, (span.line_start, message.message))
    elif not broken and not message.message.startswith(("aborting due to", "could not compile")):
        broken[job.inside(MANIFEST)] = (1, message.message)


def _source(job: Job, program: str | None, sources: Mapping[str, str]) -> str:
    """The root file of the target that a program was made of; of documentation tests there is none."""
    if program is None:
        return ""
    full = os.path.normpath(job.cwd / program)
    return job.path(sources.get(full, sources.get(program, ""))) or ""


def _case(job: Job, test: Test, root: str) -> Case:
    status = _ENDS[test.end]
    if test.doc:
        file, name, line = test.doc
        return Case(_named(job, file), name, status, line, test.why, test.name.partition(" (line")[0])
    path = _module(root, test.name, job.listing)
    line = 1
    if test.panic:
        place = job.path(test.panic[0]) or _named(job, test.panic[0])
        line = test.panic[1] if place == path else 1
    return Case(path, test.name, status, line, test.why, test.name)


def _named(job: Job, file: str) -> str:
    """A file that rustdoc names, relative to the workspace or to a package."""
    inside = job.path(file) or job.inside(file)
    if inside in job.listing:
        return inside
    return next((path for path in sorted(job.listing) if path.endswith(f"/{file}")), inside)


def _module(root: str, name: str, listing: Iterable[str]) -> str:
    """The file of the innermost module of a test that has one of its own; else its target's root file."""
    there = frozenset(listing)
    modules = name.split("::")[:-1]
    folder = PurePosixPath(root).parent
    for end in range(len(modules), 0, -1):
        stem = folder.joinpath(*modules[:end])
        for candidate in (f"{stem}.rs", f"{stem}/mod.rs"):
            if candidate in there:
                return candidate
    return root
