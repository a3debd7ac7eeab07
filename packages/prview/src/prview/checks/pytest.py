"""The project's tests on the reviewed commit; what fails is run again, and compared with the merge base.

Failing ids are compared, not exit codes: a test that already failed before the change is not held against
it, and one that passes when run a second time is flaky.
"""

from __future__ import annotations

import importlib.resources
import json
import os
import re
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from oskit.clock import monotonic
from prview.checks.base import CheckProblem, Profile, Sight, Skip, ToolOutputError
from prview.checks.pytest_events import Session, failure_finding, read_events
from prview.checks.tools import (
    Tool,
    require_tool,
    run_tool,
    tool_environment,
    tool_version,
    transcript,
)
from prview.domain.checks import Kind
from prview.domain.provenance import judge

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from prview.checks.base import CheckContext

MAX_RERUN = 100
"""Failures beyond which nothing is run again: that many are no accident."""

_TEST_FILE = re.compile(r"^(test_.*|.*_test)\.py$")
_PLUGIN = "prview_snapshot"
_COMPLETE = frozenset({0, 1, 5})
_NO_TESTS = 5


class Pytest:
    """Runs the tests of the reviewed commit from an exported tree."""

    id = "pytest"
    name = "Pytest"
    kind = Kind.TESTS

    def applies(self, context: CheckContext) -> Skip | None:
        """There must be tests, time, and leave to run code."""
        if not any(_is_test(path) for path in context.paths):
            return Skip("the reviewed commit has no pytest tests")
        if not context.change.files:
            return Skip("nothing changed")
        if context.profile is Profile.QUICK:
            return Skip("left out by the quick profile")
        if not context.may_run_code:
            return Skip(
                "code of a branch that is not checked out is only run with --allow-code", neutral=False
            )
        return None

    async def look(self, context: CheckContext) -> Sight:
        """Run everything once; only failures cost more runs."""
        tool = require_tool("pytest", context.checkouts)
        runner = _Runner(tool, context)
        version = await tool_version(tool, cwd=context.scratch, env=tool_environment(tool, context.scratch))
        head = await runner.run("head", await context.trees.head())
        _require_tests(head, context, log=runner.log)
        flaky = await _flaky(head, runner, context)
        failing = [event for name, event in head.failed.items() if name not in flaky]
        findings = [failure_finding(event) for event in failing]
        before = await _before(runner, context, {finding.path for finding in findings})
        judged = judge(
            findings,
            [failure_finding(event) for event in before.failed.values()],
            renames=context.change.renames,
            added=context.change.added_numbers,
        )
        blind = sorted(
            item.finding.path for item in judged if item.finding.rule == "collection" and not item.introduced
        )
        changed = {file.path for file in context.change.files}
        return Sight(
            judged=judged,
            examined=head.files & changed,
            flaky=tuple(sorted(flaky)),
            tool=f"{version} ({tool.origin})",
            log=runner.log,
            unseen=f"tests that cannot be collected, before and after: {', '.join(blind)}" if blind else None,
        )


class _Runner:
    """Starts pytest on exported trees, all within one deadline."""

    def __init__(self, tool: Tool, context: CheckContext) -> None:
        self._tool = tool
        self._scratch = context.scratch
        self._checkouts = os.pathsep.join(str(checkout) for checkout in context.checkouts)
        self._deadline = monotonic() + context.timeout_s
        self._plugin = context.scratch / "pytest-plugin"
        self._plugin.mkdir()
        source = importlib.resources.files("prview.checks").joinpath("snapshot_plugin.py").read_bytes()
        (self._plugin / f"{_PLUGIN}.py").write_bytes(source)
        self.log = ""

    async def run(
        self, side: str, tree: Path, *, files: Iterable[str] = (), ids: Iterable[str] | None = None
    ) -> Session:
        """Run all tests, or those of `files`, or of them those with `ids`. Raises a CheckProblem."""
        events = self._scratch / f"pytest-{side}.jsonl"
        add = {
            "PYTHONPATH": str(self._plugin),
            "PRVIEW_SNAPSHOT": str(tree),
            "PRVIEW_CHECKOUTS": self._checkouts,
            "PRVIEW_EVENTS": str(events),
        }
        selected = sorted(files)
        if selected:
            selection = self._scratch / f"pytest-{side}.select.json"
            selection.write_text(
                json.dumps({"files": selected, "ids": sorted(ids) if ids is not None else None})
            )
            add["PRVIEW_SELECT"] = str(selection)
        completed = await run_tool(
            self._arguments(side, tree),
            cwd=tree,
            env=tool_environment(self._tool, self._scratch, add=add),
            deadline_s=self._deadline - monotonic(),
        )
        self.log += f"# {side}\n{transcript(completed)}"
        session = read_events(events.read_bytes() if events.exists() else b"")
        if session.exit not in _COMPLETE or session.exit != completed.returncode:
            raise ToolOutputError(
                f"pytest did not complete on the {side} side (exit code {completed.returncode})", log=self.log
            )
        if session.foreign:
            raise ToolOutputError(
                f"tests imported code of the checkout instead of the reviewed commit: {session.foreign[0]}",
                log=self.log,
            )
        return session

    def _arguments(self, side: str, tree: Path) -> list[str]:
        return [
            str(self._tool.program),
            *("-p", _PLUGIN),
            *("-o", f"cache_dir={self._scratch / 'pytest-cache'}"),
            f"--basetemp={self._scratch / f'pytest-{side}-tmp'}",
            f"--rootdir={tree}",
            "--continue-on-collection-errors",
            "--maxfail=0",  # a project may stop at the first failure; the rest would be unknown
            "--color=no",
            "-q",
        ]


def _require_tests(session: Session, context: CheckContext, *, log: str) -> None:
    if session.exit == _NO_TESTS:
        count = sum(_is_test(path) for path in context.paths)
        raise ToolOutputError(f"pytest collected no tests although there are {count} test files", log=log)
    if session.exit and not session.failed:
        raise ToolOutputError(f"pytest ended with {session.exit} and named no failed test", log=log)


async def _flaky(head: Session, runner: _Runner, context: CheckContext) -> frozenset[str]:
    """The failed tests that were seen to pass when run again."""
    ids = {name for name, event in head.failed.items() if event.when != "collect"}
    if not ids or len(ids) > MAX_RERUN:
        return frozenset()
    files = {name.partition("::")[0] for name in ids}
    try:
        again = await runner.run("again", await context.trees.head(), files=files, ids=ids)
    except CheckProblem:
        return frozenset()  # nothing was seen to pass
    return frozenset((ids & again.passed) - set(again.failed))


async def _before(runner: _Runner, context: CheckContext, paths: set[str]) -> Session:
    """What fails on the merge base in the files (under their old names) that have failures now."""
    old_names = {new: old for old, new in context.change.renames.items()}
    tree = await context.trees.base() if paths else None
    files = {old_names.get(path, path) for path in paths}
    there = {name for name in files if tree and (tree / name).is_file()}
    if tree is None or not there:
        return Session({}, frozenset(), frozenset(), (), 0)
    return await runner.run("base", tree, files=there)


def _is_test(path: str) -> bool:
    return _TEST_FILE.match(PurePosixPath(path).name) is not None
