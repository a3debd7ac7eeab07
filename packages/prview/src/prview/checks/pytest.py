"""The project's tests on the reviewed commit; what fails is run again, and compared with the merge base.

Failing ids are compared, not exit codes: a test that already failed before the change is not held against
it, and one that passes when run a second time is flaky. Every suite of a monorepo that the change concerns
runs in its own folder with its own pytest, plugins and configuration. No outcome is kept for later runs: what
a test depends on has no end. Tests that did not run are no pass: see `pytest_missing`.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from prview.checks.base import CheckProblem, Profile, Sight, Skip, ToolOutputError
from prview.checks.environments import locate
from prview.checks.jobs import Budget
from prview.checks.merging import merged
from prview.checks.pytest_base import missing_tests
from prview.checks.pytest_events import Session, failure_finding
from prview.checks.pytest_missing import incomplete
from prview.checks.pytest_projects import MARKERS, is_test, test_files, test_projects
from prview.checks.pytest_runner import NO_TESTS, Runner
from prview.checks.suites.gone import removed, removed_tests
from prview.checks.tools import tool_environment, tool_version
from prview.domain.checks import Kind
from prview.domain.provenance import judge

if TYPE_CHECKING:
    from collections.abc import Iterable

    from prview.checks.base import CheckContext

_NO_TESTS = "the reviewed commit has no pytest tests"
MAX_RERUN = 100
"""Failures beyond which nothing is run again: that many are no accident."""


class Pytest:
    """Runs the tests of the reviewed commit from an exported tree."""

    id = "pytest"
    name = "Pytest"
    kind = Kind.TESTS

    def applies(self, context: CheckContext) -> Skip | None:
        """There must be tests, time, and leave to run code."""
        usual = any(is_test(path) for path in context.paths)
        if not (usual or _may_have_tests(context)):
            return Skip(_NO_TESTS)
        if not context.change.files:
            return Skip("nothing changed")
        if context.profile is Profile.QUICK:
            return Skip("left out by the quick profile")
        return None

    async def look(self, context: CheckContext) -> Sight | Skip:
        """Run every suite once, inner ones first; only failures cost more runs."""
        tests = await test_files(context)
        if not tests:
            gone = removed_tests(context.change.files, is_test)
            lost = removed(gone, check=self.id)
            return Sight(judged=tuple(lost), examined=frozenset(gone)) if lost else Skip(_NO_TESTS)
        if not context.may_run_code:
            return Skip(
                "code of a branch that is not checked out is only run with --allow-code", neutral=False
            )
        budget = Budget(context.timeout_s)
        parts: list[Sight] = []
        for number, project in enumerate(await test_projects(context, tests)):
            runner = Runner(context, project, budget=budget, number=number)
            parts.append(_unseen_before(await _guarded(runner), parts))
        return merged(parts)


def _may_have_tests(context: CheckContext) -> bool:
    """Whether it had tests of the usual names, or has a configuration that may name others."""
    if removed_tests(context.change.files, is_test):
        return True
    return context.profile is not Profile.QUICK and any(
        PurePosixPath(path).name in MARKERS for path in context.paths
    )


async def _guarded(runner: Runner) -> Sight:
    """One suite; what keeps it from running is its own."""
    try:
        return await _suite(runner)
    except CheckProblem as exc:
        if runner.project.folder:
            exc.message = f"{runner.project.folder}: {exc.message}"
        return Sight(problem=exc, log=exc.log or runner.log)


async def _suite(runner: Runner) -> Sight:
    context = runner.context
    tool = await locate("pytest", context, runner.project.folder)
    env = tool_environment(tool, context.scratch)
    version = await tool_version(tool, cwd=context.scratch, env=env)
    runner.tool = tool
    head = await runner.run("head", await context.trees.head())
    _require_tests(head, runner)
    flaky = await _flaky(head, runner)
    findings = [failure_finding(event) for name, event in head.failed.items() if name not in flaky]
    missing, unknown = await missing_tests(runner, head)
    before = await _before(runner, {finding.path for finding in findings})
    judged = judge(
        findings,
        [failure_finding(event) for event in before.failed.values()],
        renames=context.change.renames,
        added=context.change.added_numbers,
    )
    blind = sorted(
        item.finding.path for item in judged if item.finding.rule == "collection" and not item.introduced
    )
    hidden = f"tests that cannot be collected, before and after: {', '.join(blind)}" if blind else None
    reason = incomplete(head)
    return Sight(
        judged=(*judged, *missing),
        examined=head.files & {file.path for file in context.change.files},
        flaky=tuple(sorted(flaky)),
        tool=f"{version} ({tool.origin})",
        log=runner.log,
        unseen="; ".join(part for part in (hidden, unknown) if part) or None,
        problem=ToolOutputError(reason, log=runner.log) if reason else None,
    )


def _unseen_before(sight: Sight, others: Iterable[Sight]) -> Sight:
    """An outer suite may collect the tests of an inner one again: those are the inner one's."""
    known = {(item.finding.path, item.finding.anchor) for other in others for item in other.judged}
    flaky = {name for other in others for name in other.flaky}
    judged = [item for item in sight.judged if (item.finding.path, item.finding.anchor) not in known]
    return replace(
        sight, judged=tuple(judged), flaky=tuple(name for name in sight.flaky if name not in flaky)
    )


def _require_tests(session: Session, runner: Runner) -> None:
    if session.exit == NO_TESTS:
        prefix = f"{runner.project.folder}/" if runner.project.folder else ""
        count = sum(is_test(path) and path.startswith(prefix) for path in runner.context.paths)
        raise ToolOutputError(
            f"pytest collected no tests although there are {count} test files", log=runner.log
        )
    if session.exit and not session.failed:
        raise ToolOutputError(f"pytest ended with {session.exit} and named no failed test", log=runner.log)


async def _flaky(head: Session, runner: Runner) -> frozenset[str]:
    """The failed tests that were seen to pass when run again."""
    ids = {name for name, event in head.failed.items() if event.when != "collect"}
    if not ids or len(ids) > MAX_RERUN:
        return frozenset()
    files = {name.partition("::")[0] for name in ids}
    try:
        again = await runner.run("again", await runner.context.trees.head(), files=files, ids=ids)
    except CheckProblem:
        return frozenset()  # nothing was seen to pass
    return frozenset((ids & again.passed) - set(again.failed))


async def _before(runner: Runner, paths: set[str]) -> Session:
    """What fails on the merge base in the files (under their old names) that have failures now."""
    old_names = {new: old for old, new in runner.context.change.renames.items()}
    listing = await runner.context.trees.listing("base")
    there = {old for path in paths if (old := old_names.get(path, path)) in listing}
    if not there or runner.project.base_folder is None:
        return Session()
    return await runner.run("base", await runner.context.trees.base(), files=there)
