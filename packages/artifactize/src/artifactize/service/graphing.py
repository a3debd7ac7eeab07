"""The graph of the declarations, without looking at a single input."""

from __future__ import annotations

from typing import TYPE_CHECKING

from artifactize.domain.relations import impact, peers, relations
from artifactize.domain.selection import ALL, Selection, SelectionKind, choose
from artifactize.models.graphs import (
    ConfigGraphRequest,
    ConfigGraphResult,
    GraphArtifact,
    GraphEval,
    GraphRelation,
)
from artifactize.service.looking import read_graph

if TYPE_CHECKING:
    from collections.abc import Callable

    from artifactize.domain.graph import Graph
    from artifactize.service.workspace import Workspace
    from artifactize.tree.traces import Trace


class Graphing:
    """Looking at the graph. `workspace` is asked for when an operation needs it."""

    def __init__(self, workspace: Callable[[], Workspace]) -> None:
        self._workspace = workspace

    async def config_graph(
        self, request: ConfigGraphRequest, *, trace: Trace | None = None
    ) -> ConfigGraphResult:
        """Show Artifacts, evals and who takes what in, as declared; runs nothing and opens no input.

        With artifact or eval: what it needs. With impact also what a change of it can reach, which does not
        mean that every eval there has to run again; status says which. What is looked at is noted in `trace`.
        """
        graph = await read_graph(self._workspace().root, trace)
        names = _names(graph, request)
        cycles = peers(graph)
        return ConfigGraphResult(
            artifacts=tuple(_artifact(graph, name, cycles.get(name, ())) for name in names),
            relations=tuple(
                GraphRelation(input=each.input, consumer=each.consumer, ways=each.ways)
                for each in relations(graph, names)
            ),
        )


def _names(graph: Graph, request: ConfigGraphRequest) -> tuple[str, ...]:
    selection = ALL
    if request.artifact is not None:
        selection = Selection(SelectionKind.ARTIFACT, (request.artifact,))
    if request.eval is not None:
        selection = Selection(SelectionKind.EVAL, (request.eval,))
    if selection is ALL:
        return tuple(graph.project.artifacts)
    if request.artifact in graph.project.artifacts:
        roots: tuple[str, ...] = (str(request.artifact),)
    else:  # an eval, or a name that is refused here
        chosen = choose(selection, graph, recursive=False)
        roots = tuple(graph.project.evals[each].artifact for each in chosen.selected)
    return impact(graph, roots) if request.impact else graph.closure(roots)


def _artifact(graph: Graph, name: str, others: tuple[str, ...]) -> GraphArtifact:
    found = graph.project.artifacts[name]
    evals = [graph.project.evals[each] for each in found.evals]
    return GraphArtifact(
        name=name,
        file=found.declaration.file,
        tags=found.declaration.tags,
        basis=found.declaration.basis,
        peers=others,
        evals=tuple(
            GraphEval(
                eval=each.id,
                title=each.declaration.title,
                kind=str(each.kind),
                gated_by=each.depends_on or graph.gated_by(each.id),
            )
            for each in evals
        ),
    )
