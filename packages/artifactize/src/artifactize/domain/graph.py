"""Relations between Artifacts: what is an input of what, who is whose peer, what a selection obliges to."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from artifactize.domain.cycles import components
from artifactize.domain.ownership import Folders

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from artifactize.domain.project import Project


class Graph:
    """The input→consumer relations of a project, derived once."""

    def __init__(self, project: Project) -> None:
        self.project = project

    @cached_property
    def folders(self) -> Folders:
        """Which Artifact each folder belongs to."""
        return Folders(artifact.declaration for artifact in self.project.artifacts.values())

    @cached_property
    def inputs(self) -> Mapping[str, tuple[str, ...]]:
        """What each Artifact takes in: mounts, children, what its evals name or wait for. Never itself."""
        return {name: self._inputs(name) for name in self.project.artifacts}

    @cached_property
    def _component(self) -> Mapping[str, int]:
        groups = components(self.inputs)
        return {name: number for number, group in enumerate(groups) for name in group}

    def are_peers(self, one: str, other: str) -> bool:
        """Whether two Artifacts are inputs of each other, around a cycle: no gate between them."""
        return self._component[one] == self._component[other]

    def closure(self, names: Iterable[str]) -> tuple[str, ...]:
        """Return the Artifacts themselves and everything they take in, in configuration order."""
        reached = reachable(names, self.inputs.__getitem__)
        return tuple(name for name in self.project.artifacts if name in reached)

    def gated_by(self, eval_id: str) -> tuple[str, ...]:
        """Return the Artifacts that must be GREEN before an eval starts, sorted."""
        own = self.project.evals[eval_id].artifact
        return tuple(name for name in self.project.dependencies(eval_id) if not self.are_peers(own, name))

    def _inputs(self, name: str) -> tuple[str, ...]:
        artifact = self.project.artifacts[name]
        found = dict.fromkeys(artifact.inputs)
        for eval_id in artifact.evals:
            each = self.project.evals[eval_id]
            found.update(dict.fromkeys((*sorted(each.names), *each.depends_on)))
        return tuple(other for other in found if other != name and other in self.project.artifacts)


def reachable(names: Iterable[str], steps: Callable[[str], Iterable[str]]) -> set[str]:
    """Return the names and everything that repeated `steps` lead to from them."""
    reached: set[str] = set()
    waiting = list(names)
    while waiting:
        name = waiting.pop()
        if name not in reached:
            reached.add(name)
            waiting.extend(steps(name))
    return reached
