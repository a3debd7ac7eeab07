"""`go test`: the tests of the modules that a change touches."""

from __future__ import annotations

import posixpath
import re
from collections import defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from prview.checks.base import Skip
from prview.checks.go.compile_errors import compile_errors
from prview.checks.go.golang import HOMES, MANIFEST, go_environment, missing_modules
from prview.checks.projects import projects_by_manifest
from prview.checks.records import Record, record_lines
from prview.checks.suites.check import SuiteCheck
from prview.checks.suites.outcomes import Case, Run, Status, collected

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from prview.checks.base import CheckContext
    from prview.checks.jobs import Job, Output, Project

_ENDS = {"pass": Status.PASSED, "fail": Status.FAILED, "skip": Status.SKIPPED}
_PLACE = re.compile(r"^\s*(?P<file>[\w.-]+\.go):(?P<line>\d+): (?P<text>.*)$")
_FRAME = re.compile(r"^\s*(?:=== |--- |panic: testing:|ok\s|FAIL\b|PASS\b|exit status)")
_MODULE = re.compile(r"^module\s+\"?(?P<name>[^\s\"]+)", re.MULTILINE)
_FUNCTION = re.compile(rb"^func (?P<name>(?:Test|Example|Fuzz|Benchmark)\w*)\(", re.MULTILINE)


class _Event(Record):
    Action: str
    Package: str = ""
    ImportPath: str = ""
    Test: str = ""
    Output: str = ""


@dataclass
class _Package:
    """What was said about one package; `tests` maps names to the last action, `said` to the output."""

    tests: dict[str, str] = field(default_factory=dict)
    said: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    end: str = ""


class GoTest(SuiteCheck):
    """All packages of a module. What the test cache knows is run all the same."""

    id = "go_test"
    name = "go test"
    program = "go"
    languages = frozenset({"Go"})
    variables = HOMES
    version_arguments = ("version",)

    def is_test(self, path: str) -> bool:
        """By Go's own rule."""
        return path.endswith("_test.go")

    def configures(self, path: str) -> bool:
        """The module."""
        return posixpath.basename(path) == MANIFEST

    async def projects(self, context: CheckContext) -> Sequence[Project] | Skip:
        """The modules of the changed files."""
        found = await projects_by_manifest(context, manifests={MANIFEST}, concerns=self.concerns)
        there = [item for item in found if posixpath.join(item.folder, MANIFEST) in context.paths]
        return there or Skip("no go.mod is above the changed files")

    async def environment(self, job: Job) -> Mapping[str, str]:
        """Offline."""
        del job
        return go_environment()

    async def execute(self, job: Job, only: Mapping[str, Sequence[Case]] | None) -> Run:
        """Run, and read the events."""
        manifest = await job.text(job.inside(MANIFEST)) or ""
        options = ["-json", "-count=1", "-vet=off"]  # vet is a check of its own, and keeps tests from running
        output = await job.run([str(job.tool.program), "test", *options, *_selected(only, job)])
        return read_events(job, output, manifest)


def _selected(only: Mapping[str, Sequence[Case]] | None, job: Job) -> list[str]:
    if only is None:
        return ["./..."]
    names = sorted({re.escape(case.group or case.name) for cases in only.values() for case in cases})
    folders = sorted({posixpath.relpath(posixpath.dirname(path) or ".", job.project or ".") for path in only})
    return [f"-run=^({'|'.join(names)})$", *(f"./{folder}" for folder in folders)]


def read_events(job: Job, output: Output, manifest: str) -> Run:
    """All tests. Raises a CheckProblem for output that is none, or a failure that nothing explains."""
    missing = missing_modules(output) if output.returncode else None
    if missing:
        raise missing
    packages, compiler = _events(job, output)
    module = _MODULE.search(manifest)
    cases: list[Case] = []
    broken: dict[str, tuple[int, str]] = {}
    for finding in compile_errors(job, output, compiler, tool="go test"):
        broken.setdefault(finding.path, (finding.line, finding.message))
    for name, package in packages.items():
        folder = job.inside(_below(name, module["name"] if module else "")).removesuffix("/")
        found = list(_cases(job, posixpath.normpath(folder) if folder else "", package))
        cases += found
        if package.end == "fail" and not any(case.status is Status.FAILED for case in found):
            _break(job, folder, package, broken)
    run = collected(cases, broken)
    if output.returncode and not (run.having(Status.FAILED) or run.broken):
        raise job.failed(f"go test failed and named no test: {output.last_words}", output)
    return run


def _events(job: Job, output: Output) -> tuple[dict[str, _Package], str]:
    """Packages by import path, and what the compiler said, in events (since Go 1.24) or as lines."""
    packages: dict[str, _Package] = defaultdict(_Package)
    compiler = [output.stderr.decode("utf-8", "replace")]
    for event in record_lines(_Event, output.stdout, job=job, output=output, tool="go test"):
        if event.Action == "build-output":
            compiler.append(event.Output)
        elif event.Package:
            _note(packages[event.Package], event)
    return packages, "".join(compiler)


def _note(package: _Package, event: _Event) -> None:
    if event.Action == "output":
        package.said[event.Test].append(event.Output)
    elif event.Test and event.Action in {"run", *_ENDS}:
        package.tests[event.Test] = event.Action
    elif not event.Test and event.Action in _ENDS:
        package.end = event.Action


def _cases(job: Job, folder: str, package: _Package) -> Iterable[Case]:
    """Tests, without those that only stand for their subtests; one without an end did not pass."""
    files = _functions(job, folder) if package.tests else {}
    for name, action in package.tests.items():
        if action == "fail" and any(
            other.startswith(f"{name}/") and package.tests[other] == "fail" for other in package.tests
        ):
            continue
        group = name.partition("/")[0]
        path, line = files.get(group, (posixpath.join(folder, "_test.go"), 1))
        place, message = _words(package.said.get(name, []))
        if place and posixpath.join(folder, place[0]) in job.listing:
            path, line = posixpath.join(folder, place[0]), place[1]
        home = files.get(group, (path, line))[0]
        status = _ENDS.get(action, Status.FAILED)
        yield Case(home, name, status, line if path == home else 1, message, group)


def _words(said: Sequence[str]) -> tuple[tuple[str, int] | None, str]:
    """Where a test spoke first, and what it said."""
    place: tuple[str, int] | None = None
    words = []
    for line in "".join(said).splitlines():
        found = _PLACE.match(line)
        if found and place is None:
            place = (found["file"], int(found["line"]))
        if not _FRAME.match(line) and line.strip():
            words.append(found["text"] if found else line.strip())
    return place, " ".join(words)[:300]


def _functions(job: Job, folder: str) -> dict[str, tuple[str, int]]:
    """The test functions of a package with their places."""
    found: dict[str, tuple[str, int]] = {}
    prefix = f"{folder}/" if folder else ""
    for path in job.listing:
        if path.endswith("_test.go") and path.startswith(prefix) and "/" not in path.removeprefix(prefix):
            content = (job.tree / path).read_bytes()
            for match in _FUNCTION.finditer(content):
                found[match["name"].decode()] = (path, content.count(b"\n", 0, match.start()) + 1)
    return found


def _break(job: Job, folder: str, package: _Package, broken: dict[str, tuple[int, str]]) -> None:
    """A package that failed without a failed test: it panicked, or did not build (then the file is known)."""
    inside = f"{folder}/" if folder else ""
    tests = sorted(p for p in job.listing if posixpath.dirname(p) == folder and p.endswith("_test.go"))
    if tests and not any(posixpath.dirname(path) == folder for path in broken):
        broken[tests[0]] = (1, _words(package.said.get("", []))[1] or f"{inside or './'} failed")


def _below(name: str, module: str) -> str:
    """The folder of a package in its module."""
    return name.removeprefix(module).strip("/") if name.startswith(module) else ""
