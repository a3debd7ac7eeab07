"""Starts pytest on exported trees, with a plugin that writes down what happens."""

from __future__ import annotations

import importlib.resources
import json
import os
from dataclasses import replace
from typing import TYPE_CHECKING

from prview.checks.base import ToolOutputError
from prview.checks.pytest_events import Session, read_events
from prview.checks.tools import Tool, run_tool, tool_environment, transcript

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from prview.checks.base import CheckContext
    from prview.checks.jobs import Budget, Project

NO_TESTS = 5
"""Pytest's exit code when nothing was collected."""

_COMPLETE = frozenset({0, 1, NO_TESTS})
_PLUGIN = "prview_snapshot"


class Runner:
    """Runs one suite in its folder; ids and files are relative to the tree, whatever pytest calls them."""

    def __init__(self, context: CheckContext, project: Project, *, budget: Budget, number: int) -> None:
        self.context = context
        self.project = project
        self.tool: Tool | None = None
        self.log = ""
        self._budget = budget
        self._scratch = context.scratch / str(number)
        self._scratch.mkdir()
        source = importlib.resources.files("prview.checks").joinpath("snapshot_plugin.py").read_bytes()
        (self._scratch / "plugin").mkdir()
        (self._scratch / "plugin" / f"{_PLUGIN}.py").write_bytes(source)

    async def run(
        self, side: str, tree: Path, *, files: Iterable[str] = (), ids: Iterable[str] | None = None
    ) -> Session:
        """Run all tests, or those of `files`, or of them those with `ids`. Raises a CheckProblem."""
        if self.tool is None:
            raise ValueError("pytest was not looked for")
        where = (self.project.base_folder if side == "base" else self.project.folder) or ""
        events = self._scratch / f"{side}.jsonl"
        add = self._orders(tree, events)
        selected = _inside(files, where)
        if selected:
            selection = self._scratch / f"{side}.select.json"
            chosen = {"files": selected, "ids": None if ids is None else _inside(ids, where)}
            selection.write_text(json.dumps(chosen))
            add["PRVIEW_SELECT"] = str(selection)
        async with self.context.slots:
            completed = await run_tool(
                [str(self.tool.program), *self._arguments(side, tree / where)],
                cwd=tree / where,
                env=tool_environment(self.tool, self.context.scratch, add=add),
                deadline_s=self._budget.left_s,
            )
        self._budget.left_s -= completed.duration_s
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
        return _in_tree(session, where)

    def _orders(self, tree: Path, events: Path) -> dict[str, str]:
        """What the plugin is to do, see there."""
        return {
            "PYTHONPATH": str(self._scratch / "plugin"),
            "PRVIEW_SNAPSHOT": str(tree),
            "PRVIEW_CHECKOUTS": os.pathsep.join(str(checkout) for checkout in self.context.checkouts),
            "PRVIEW_EVENTS": str(events),
        }

    def _arguments(self, side: str, root: Path) -> list[str]:
        return [
            *("-p", _PLUGIN),
            *("-o", f"cache_dir={self._scratch / 'cache'}"),
            f"--basetemp={self._scratch / f'{side}-tmp'}",
            f"--rootdir={root}",
            "--continue-on-collection-errors",
            "--maxfail=0",  # a project may stop at the first failure; the rest would be unknown
            "--color=no",
            "-q",
        ]


def _inside(names: Iterable[str], where: str) -> list[str]:
    """Paths or ids of the tree as pytest has them in the suite's folder."""
    prefix = f"{where}/" if where else ""
    return sorted(name.removeprefix(prefix) for name in names if name.startswith(prefix))


def _in_tree(session: Session, where: str) -> Session:
    """The same session with paths and ids of the tree."""
    if not where:
        return session
    failed = {
        f"{where}/{name}": event.model_copy(update={"id": f"{where}/{event.id}"})
        for name, event in session.failed.items()
    }
    passed = frozenset(f"{where}/{name}" for name in session.passed)
    return replace(
        session, failed=failed, passed=passed, files=frozenset(f"{where}/{name}" for name in session.files)
    )
