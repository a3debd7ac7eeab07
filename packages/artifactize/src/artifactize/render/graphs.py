"""The graph as text, as Graphviz's DOT, as a Mermaid flowchart."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from mcpkit.text import escape_untrusted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from artifactize.models.graphs import ConfigGraphResult, GraphArtifact, GraphRelation


def graph_text(result: ConfigGraphResult) -> str:
    """Return each Artifact with what it takes in, who takes it in, and its evals."""
    inputs: dict[str, list[GraphRelation]] = {}
    consumers: dict[str, list[GraphRelation]] = {}
    for each in result.relations:
        inputs.setdefault(each.consumer, []).append(each)
        consumers.setdefault(each.input, []).append(each)
    lines = [
        line
        for each in result.artifacts
        for line in _lines(each, inputs.get(each.name, ()), consumers.get(each.name, ()))
    ]
    return escape_untrusted("\n".join(lines))


def graph_dot(result: ConfigGraphResult) -> str:
    """Return a digraph whose arrows lead from inputs to consumers; dependency evals are dashed."""
    lines = ["digraph artifactize {", "  rankdir=LR;", "  node [shape=box];"]
    lines += [f"  {_quoted(each.name)} [label={_label(each)}];" for each in result.artifacts]
    lines += [
        f"  {_quoted(each.input)} -> {_quoted(each.consumer)} "
        f"[label={_quoted(', '.join(each.ways))}{_dashes(each)}];"
        for each in result.relations
    ]
    return "\n".join([*lines, "}"])


def graph_mermaid(result: ConfigGraphResult) -> str:
    """Return a flowchart; names of Artifacts hold nothing that Mermaid takes for its own."""
    ids = {each.name: f"a{number}" for number, each in enumerate(result.artifacts)}
    lines = ["flowchart LR"]
    lines += [f'  {ids[each.name]}["{each.name}"]' for each in result.artifacts]
    lines += [
        f"  {ids[each.input]} -->|{', '.join(each.ways)}| {ids[each.consumer]}" for each in result.relations
    ]
    return "\n".join(lines)


def _lines(
    artifact: GraphArtifact, inputs: Sequence[GraphRelation], consumers: Sequence[GraphRelation]
) -> list[str]:
    marks = [" (basis)"] if artifact.basis else []
    marks += [f" [{', '.join(artifact.tags)}]"] if artifact.tags else []
    lines = [f"{artifact.name}  {artifact.file}{''.join(marks)}"]
    lines += [f"  takes in {each.input} ({', '.join(each.ways)})" for each in inputs]
    lines += [f"  goes into {each.consumer} ({', '.join(each.ways)})" for each in consumers]
    if artifact.peers:
        lines.append(f"  in a cycle with {', '.join(artifact.peers)}: no gates between them")
    for each in artifact.evals:
        waits = f"; waits for {', '.join(each.gated_by)}" if each.gated_by else ""
        lines.append(f"  {each.eval}  {each.kind}{waits}  {each.title}")
    return lines


def _label(artifact: GraphArtifact) -> str:
    return _quoted("\n".join([artifact.name, *(each.eval.partition("/")[2] for each in artifact.evals)]))


def _dashes(relation: GraphRelation) -> str:
    return ", style=dashed" if relation.ways == ("dependency",) else ""


def _quoted(text: str) -> str:
    return json.dumps(text)
