"""Who takes what in, and why: the relations that `config graph` shows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from artifactize.domain.cycles import components
from artifactize.domain.graph import reachable

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from artifactize.domain.graph import Graph


@dataclass(frozen=True, slots=True)
class Relation:
    """An input and its consumer. `ways` are of `mount`, `child`, `reference`, `dependency`, in this order."""

    input: str
    consumer: str
    ways: tuple[str, ...]


def impact(graph: Graph, names: Iterable[str]) -> tuple[str, ...]:
    """Return everything that a change of these Artifacts can reach, with all that it takes in.

    Reachability is of declarations: not every eval in it has another reuse key after a change.
    """
    consumers: dict[str, list[str]] = {}
    for consumer, inputs in graph.inputs.items():
        for each in inputs:
            consumers.setdefault(each, []).append(consumer)
    return graph.closure(reachable(names, lambda name: consumers.get(name, ())))


def relations(graph: Graph, names: Iterable[str]) -> tuple[Relation, ...]:
    """Return the relations among these Artifacts, by consumer in the given order."""
    among = dict.fromkeys(names)
    return tuple(
        Relation(each, consumer, _ways(graph, each, consumer))
        for consumer in among
        for each in graph.inputs[consumer]
        if each in among
    )


def peers(graph: Graph) -> Mapping[str, tuple[str, ...]]:
    """Return for each Artifact in a cycle the others in it, sorted: between them there are no gates."""
    groups = [sorted(group) for group in components(graph.inputs) if len(group) > 1]
    return {name: tuple(each for each in group if each != name) for group in groups for name in group}


def _ways(graph: Graph, name: str, consumer: str) -> tuple[str, ...]:
    artifact = graph.project.artifacts[consumer]
    evals = [graph.project.evals[each] for each in artifact.evals]
    found = {
        "mount": name in artifact.declaration.mounts.values(),
        "child": name in artifact.children,
        "reference": any(name in each.names for each in evals),
        "dependency": any(name in each.depends_on for each in evals),
    }
    return tuple(way for way, is_one in found.items() if is_one)
