"""Checking the tools that declarations offer to reviewers."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING, Literal

from artifactize.models.tool_checks import ToolCheck, ToolsCheckResult
from artifactize.service.looking import read_graph
from artifactize.service.workspace import off_loop
from artifactize.toolbox.assembling import declared_tools
from artifactize.toolbox.contract import ToolFault
from oskit.clock import monotonic
from oskit.scratch import make_folder

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from artifactize.domain.graph import Graph
    from artifactize.models.tool_checks import ToolsCheckRequest
    from artifactize.service.workspace import Workspace
    from artifactize.toolbox.commands import DeclaredTool

View = Literal["agent_tools", "human_tools"]
_MS = 1000


async def check_tools(workspace: Workspace, request: ToolsCheckRequest) -> ToolsCheckResult:
    """Return a check for each declared tool. Raises ConfigInvalidError, NotARepositoryError."""
    graph = await read_graph(workspace.root)
    private = await off_loop(lambda: make_folder("artifactize-tools"))
    try:
        checks = [
            await _check(artifact, view, tool, execute=request.execute)
            for artifact, view, tool in _tools(workspace, graph, private)
        ]
    finally:
        shutil.rmtree(private, ignore_errors=True)
    ok = all(each.status != "failed" for each in checks)
    return ToolsCheckResult(ok=ok, executed=request.execute, tools=tuple(checks))


def _tools(workspace: Workspace, graph: Graph, private: Path) -> Iterator[tuple[str, View, DeclaredTool]]:
    views: tuple[View, ...] = ("agent_tools", "human_tools")
    for artifact in graph.project.artifacts.values():
        for view in views:
            offered = getattr(artifact.declaration, view)
            for tool in declared_tools(
                workspace.root,
                graph,
                artifact.name,
                tools=offered,
                private=private,
                environment=workspace.environment,
            ):
                yield artifact.name, view, tool


async def _check(artifact: str, view: View, tool: DeclaredTool, *, execute: bool) -> ToolCheck:
    began = monotonic()
    tried = execute and tool.declared.example is not None
    try:
        await off_loop(tool.check_still)
        if tried:
            await tool.try_example()
    except ToolFault as fault:
        return _result(artifact, view, tool, "failed", fault.message, code=fault.code)
    if tried:
        took = round((monotonic() - began) * _MS)
        return _result(artifact, view, tool, "ok", "its example was answered", duration_ms=took)
    if tool.declared.example is None:
        return _result(artifact, view, tool, "warning", "it has no example, so that nothing can try it")
    untried = ", its version pin too" if tool.declared.pin.version is not None else ""
    return _result(artifact, view, tool, "ok", f"complete and found; --execute tries it{untried}")


def _result(
    artifact: str,
    view: View,
    tool: DeclaredTool,
    status: Literal["ok", "warning", "failed"],
    message: str,
    *,
    code: str | None = None,
    duration_ms: int | None = None,
) -> ToolCheck:
    return ToolCheck(
        artifact=artifact,
        view=view,
        tool=tool.declared.name,
        protocol=tool.declared.protocol.value,
        status=status,
        code=code,
        message=message,
        duration_ms=duration_ms,
    )
