"""Putting the toolbox of an eval together."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from artifactize.toolbox.commands import DeclaredTool
from artifactize.toolbox.scoping import eval_scope
from artifactize.toolbox.toolbox import EvalToolbox
from artifactize.tree.operands import Commands, OperandError, Prepared

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from pathlib import Path

    from artifactize.domain.graph import Graph
    from artifactize.domain.tool_declarations import ToolDeclaration
    from artifactize.toolbox.contract import ToolRecord


def open_toolbox(  # noqa: PLR0913 - what a toolbox is made of, the options named
    root: Path,
    graph: Graph,
    eval_id: str,
    *,
    tools: Iterable[ToolDeclaration],
    private: Path,
    environment: Mapping[str, str],
    most_calls: int | None = None,
    on_record: Callable[[ToolRecord], None] | None = None,
) -> EvalToolbox:
    """Return the toolbox of an eval with the declared `tools` of its view; nothing is read or run yet.

    `private` is a folder of ours outside of the project, for the HOME and TMPDIR of each call; PATH and LANG
    come from `environment`.
    """
    artifact = graph.project.evals[eval_id].artifact
    declared = declared_tools(root, graph, artifact, tools=tools, private=private, environment=environment)
    scope = partial(eval_scope, root, graph, eval_id)
    return EvalToolbox(scope, declared, most_calls=most_calls, on_record=on_record)


def declared_tools(
    root: Path,
    graph: Graph,
    artifact: str,
    *,
    tools: Iterable[ToolDeclaration],
    private: Path,
    environment: Mapping[str, str],
) -> tuple[DeclaredTool, ...]:
    """Return the declared tools of an Artifact, ready to be called or to be checked."""
    commands = Commands(root, graph)
    return tuple(
        DeclaredTool(each, _prepared(commands, artifact, each), private, environment) for each in tools
    )


def _prepared(commands: Commands, artifact: str, declared: ToolDeclaration) -> Prepared | OperandError:
    try:
        return commands.prepare(artifact, declared.command, declared.args)
    except OperandError as failure:
        return failure
