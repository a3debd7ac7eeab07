"""Starts pytest on exported trees, with a plugin that writes down what happens."""

from __future__ import annotations

import importlib.resources
import json
import os
from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

from prview.checks.base import ToolOutputError
from prview.checks.pytest_events import Ended, Failed, Session, read_events
from prview.checks.tools import Tool, run_tool, tool_environment, transcript

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from prview.checks.base import CheckContext
    from prview.checks.jobs import Budget, Project

NO_TESTS = 5
"""Pytest's exit code when nothing was collected."""

_E = TypeVar("_E", Failed, Ended)
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
        self,
        side: str,
        tree: Path,
        *,
        files: Iterable[str] = (),
        ids: Iterable[str] | None = None,
        name: str = "",
        only_collect: bool = False,
    ) -> Session:
        """Run all tests, or those of `files`, or of them those with `ids`. Raises a CheckProblem.

        `name` is the run's, when a side has several; `only_collect` asks which tests there are.
        """
        if self.tool is None:
            raise ValueError("pytest was not looked for")
        where = (self.project.base_folder if side == "base" else self.project.folder) or ""
        name = name or side
        events = self._scratch / f"{name}.jsonl"
        add = self._orders(tree, events)
        selected = _inside(files, where)
        if selected:
            selection = self._scratch / f"{name}.select.json"
            chosen = {"files": selected, "ids": None if ids is None else _inside(ids, where)}
            selection.write_text(json.dumps(chosen))
            add["PRVIEW_SELECT"] = str(selection)
        async with self.context.slots:
            completed = await run_tool(
                [str(self.tool.program), *self._arguments(name, tree / where, only_collect=only_collect)],
                cwd=tree / where,
                env=tool_environment(self.tool, self.context.scratch, add=add),
                deadline_s=self._budget.left_s,
            )
        self._budget.left_s -= completed.duration_s
        self.log += f"# {name}\n{transcript(completed)}"
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

    def _arguments(self, name: str, root: Path, *, only_collect: bool) -> list[str]:
        return [
            *("-p", _PLUGIN),
            *("-o", f"cache_dir={self._scratch / 'cache'}"),
            f"--basetemp={self._scratch / f'{name}-tmp'}",
            f"--rootdir={root}",
            "--continue-on-collection-errors",
            "--maxfail=0",  # a project may stop at the first failure; the rest would be unknown
            "--color=no",
            "-q",
            *(["--collect-only"] if only_collect else []),
        ]


def _inside(names: Iterable[str], where: str) -> list[str]:
    """Paths or ids of the tree as pytest has them in the suite's folder."""
    prefix = f"{where}/" if where else ""
    return sorted(name.removeprefix(prefix) for name in names if name.startswith(prefix))


def _in_tree(session: Session, where: str) -> Session:
    """The same session with paths and ids of the tree."""
    if not where:
        return session
    return replace(
        session,
        failed=_ids_in_tree(session.failed, where),
        ended=_ids_in_tree(session.ended, where),
        files=_names_in_tree(session.files, where),
        planned=None if session.planned is None else _names_in_tree(session.planned, where),
        left_out=_names_in_tree(session.left_out, where),
    )


def _names_in_tree(names: Iterable[str], where: str) -> frozenset[str]:
    return frozenset(f"{where}/{name}" for name in names)


def _ids_in_tree(events: Mapping[str, _E], where: str) -> dict[str, _E]:
    return {
        f"{where}/{name}": event.model_copy(update={"id": f"{where}/{event.id}"})
        for name, event in events.items()
    }
