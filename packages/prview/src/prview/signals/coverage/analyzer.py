"""Names changed source that no test is about, and added lines that did not run."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeGuard

from anyio import to_thread

from prview.domain.findings import Finding, Level
from prview.domain.signals import Artifact, Signal, check_id
from prview.signals.coverage.importers import importing_tests, tests_inside
from prview.signals.coverage.measured import Measured, measured
from prview.signals.coverage.names import Names, is_source, is_test_source
from prview.signals.own import own_files
from prview.signals.python_imports import parse_python
from prview.signals.words import listed, page, plural

if TYPE_CHECKING:
    from pathlib import Path

    from prview.domain.change import ChangedFile
    from prview.signals.base import SignalContext
    from prview.signals.own import Own

KIND = "coverage"
DELTA = "20_quality/coverage-delta.txt"
CHANGED_TESTS = "30_context/changed-tests.txt"
_DEFINES = re.compile(r"^\s*(?:async\s+)?(?:def\s+\w+\(|class\s+\w+\s*[(:]|func\s+\w*\(|(?:pub\s+)?fn\s+\w+)")
_BLANK = ("#", "//", "/*", "*", "import ", "from ", "use ", "package ", "export * from")


@dataclass
class _Delta:
    """Every changed source with its tests; `inside`: it holds them itself, or its package does."""

    tests: dict[str, list[str]] = field(default_factory=dict)
    inside: set[str] = field(default_factory=set)
    measured: dict[str, Measured] = field(default_factory=dict)
    remarks: list[str] = field(default_factory=list)
    changed_tests: dict[str, str] = field(default_factory=dict)

    def has_tests(self, path: str) -> bool:
        """Whether any test is about a source."""
        return bool(self.tests.get(path)) or path in self.inside


class Coverage:
    """Says which changed source has no test, by names, folders and imports, and what a report measured."""

    kind = KIND
    title = "Tests of changed source"

    async def analyze(self, context: SignalContext) -> Signal | None:
        """Look at the changed source files that gain lines."""
        own = await own_files(context)
        worktree = context.repository.worktree if context.change.checked_out else None
        return await to_thread.run_sync(_signal, own, worktree)


def _signal(own: Own, worktree: Path | None) -> Signal | None:
    sources = [file for file in own.present if is_source(file.path) and _gains_code(own, file)]
    delta = _Delta(changed_tests={file.path: file.status for file in own.files if is_test_source(file.path)})
    if sources:
        _match(own, sources, delta)
        if worktree:
            delta.measured, delta.remarks = measured(own, sources, worktree)
    if not (sources or delta.changed_tests):
        return None
    return _said(sources, delta)


def _gains_code(own: Own, file: ChangedFile) -> bool:
    """Whether a line is added that could be tested: more than imports, comments, texts and brackets."""
    if any(_DEFINES.match(line.text) for line in file.added_lines):
        return True
    tree = parse_python(own.after(file) or "") if file.path.endswith(".py") else None
    if tree is not None:
        return any(_can_run(node) and node.lineno in file.added_numbers for node in ast.walk(tree))
    stripped = (line.text.strip() for line in file.added_lines)
    return any(text.strip("(){}[];, ") and not text.startswith(_BLANK) for text in stripped)


def _can_run(node: ast.AST) -> TypeGuard[ast.expr | ast.stmt]:
    """Whether something happens when a node runs: not for imports, texts alone and names of exports."""
    if isinstance(node, ast.Expr):
        return not isinstance(node.value, ast.Constant)
    if isinstance(node, ast.Assign):
        return [getattr(target, "id", "") for target in node.targets] != ["__all__"]
    idle = (ast.Import, ast.ImportFrom, ast.Pass, ast.Global, ast.Nonlocal)
    return isinstance(node, ast.stmt) and not isinstance(node, idle)


def _match(own: Own, sources: list[ChangedFile], delta: _Delta) -> None:
    names = Names(own.head.paths)
    delta.tests = {file.path: names.of(file.path) for file in sources}
    delta.inside = {file.path for file in sources if tests_inside(own, file.path)}
    open_ = [file.path for file in sources if not delta.has_tests(file.path)]
    importing, cut = importing_tests(own, open_)
    delta.tests |= importing
    delta.remarks += [f"tests that import the changed files: {cut}"] if cut else []


def _said(sources: list[ChangedFile], delta: _Delta) -> Signal:
    findings = [item for file in sources for item in _findings(file, delta)]
    untested = [file.path for file in sources if not _is_tested(file.path, delta)]
    artifacts = [Artifact(DELTA, _delta_text(sources, delta))] if sources else []
    if delta.changed_tests:
        artifacts.append(Artifact(CHANGED_TESTS, _tests_text(delta)))
    return Signal(
        kind=KIND,
        title=Coverage.title,
        findings=tuple(findings),
        artifacts=tuple(artifacts),
        data={
            "changed_sources": len(sources),
            "changed_tests": len(delta.changed_tests),
            "untested": list(untested),
            "measured": {
                path: {"lines": len(item.lines), "ran": len(item.ran), "report": item.report}
                for path, item in delta.measured.items()
            },
        },
    )


def _is_tested(path: str, delta: _Delta) -> bool:
    known = delta.measured.get(path)
    return bool(known.ran or not known.lines) if known else delta.has_tests(path)


def _findings(file: ChangedFile, delta: _Delta) -> list[Finding]:
    known = delta.measured.get(file.path)
    if known is not None:
        return [_unmeasured(file, known)] if known.missed else []
    if delta.has_tests(file.path):
        return []
    line = file.added_lines[0].number
    message = "no test is about this changed source file (judged by names, folders and imports)"
    return [Finding(check_id(KIND), "untested", Level.NOTE, file.path, line, message, anchor=file.path)]


def _unmeasured(file: ChangedFile, known: Measured) -> Finding:
    """Measured, not guessed: source of which no added line ran is worth a warning."""
    missed = known.missed
    level = Level.NOTE if known.ran else Level.WARNING
    count = f"{len(missed)} of {plural(len(known.lines), 'added line')}"
    message = f"{count} did not run when {known.report} was measured: {listed(ranges(missed))}"
    return Finding(check_id(KIND), "not-covered", level, file.path, missed[0], message, anchor=file.path)


def ranges(numbers: list[int]) -> list[str]:
    """Sorted line numbers as `3`, `5-7`."""
    found: list[tuple[int, int]] = []
    for number in numbers:
        if found and found[-1][1] == number - 1:
            found[-1] = (found[-1][0], number)
        else:
            found.append((number, number))
    return [str(first) if first == last else f"{first}-{last}" for first, last in found]


def _delta_text(sources: list[ChangedFile], delta: _Delta) -> str:
    untested = [file.path for file in sources if not _is_tested(file.path, delta)]
    counts = (
        plural(len(sources), "changed source file"),
        f"{len(untested)} without a test",
        plural(len(delta.changed_tests), "changed test file"),
    )
    lines = [", ".join(counts), ""]
    for file in sources:
        lines.append(f"{file.path}: {_state(file.path, delta)}")
        lines += [f"    {test}" for test in delta.tests.get(file.path, [])[:10]]
    return page(*lines, "", *delta.remarks)


def _state(path: str, delta: _Delta) -> str:
    tests = delta.tests.get(path, [])
    how = "no test found"
    if set(tests) & set(delta.changed_tests):
        how = "its tests change, too"
    elif tests:
        how = "its tests do not change"
    elif path in delta.inside:
        how = "tested in place"
    known = delta.measured.get(path)
    if known:
        how += f"; {len(known.ran)} of {plural(len(known.lines), 'added line')} ran ({known.report})"
    return how


def _tests_text(delta: _Delta) -> str:
    about = {
        test: sorted(path for path, tests in delta.tests.items() if test in tests)
        for test in delta.changed_tests
    }
    return page(
        *(
            f"{status} {test}" + (f"  about {listed(about[test])}" if about[test] else "")
            for test, status in delta.changed_tests.items()
        )
    )
