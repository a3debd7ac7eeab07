"""What the repository is now: declarations, graph, fingerprints, reuse keys."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from artifactize.domain.graph import Graph
from artifactize.domain.keys import definition_hash, reuse_key
from artifactize.errors import FingerprintFailedError
from artifactize.execution.environment import captured
from artifactize.execution.fingerprints import Fingerprinter, Fingerprints
from artifactize.service.workspace import off_loop
from artifactize.tree.digests import StatDigests
from artifactize.tree.discovery import read_project
from artifactize.tree.known import known_of
from artifactize.tree.traces import Trace

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from artifactize.domain.project import Project


@dataclass(frozen=True, slots=True)
class Look:
    """One look at some Artifacts: their fingerprints, and for each of their evals the key or None."""

    graph: Graph
    fingerprints: Fingerprints
    keys: Mapping[str, str | None]
    definitions: Mapping[str, str]

    @property
    def project(self) -> Project:
        """The declarations."""
        return self.graph.project

    def covered(self, eval_id: str) -> dict[str, str]:
        """Return the fingerprints that an eval's key covers, as far as they exist."""
        names = self.project.covered(eval_id)
        return {name: self.fingerprints.values[name] for name in names if name in self.fingerprints.values}

    def unkeyed(self, eval_id: str) -> str | None:
        """Return the first covered Artifact with `fingerprint = false`."""
        names = self.project.covered(eval_id)
        return next(
            (name for name in names if self.project.artifacts[name].declaration.fingerprint is None), None
        )

    def refuse_failures(self) -> None:
        """Raise FingerprintFailedError when an Artifact could not be fingerprinted."""
        if self.fingerprints.failures:
            raise FingerprintFailedError(sorted(self.fingerprints.failures.values()))


async def read_graph(root: Path, trace: Trace | None = None) -> Graph:
    """Return the graph of the present declarations. Raises ConfigInvalidError, NotARepositoryError."""
    return Graph(await off_loop(lambda: read_project(root, trace)))


async def look(
    root: Path,
    graph: Graph,
    artifacts: Iterable[str],
    environment: Mapping[str, str],
    *,
    evals: Sequence[str] | None = None,
    trace: Trace | None = None,
) -> Look:
    """Fingerprint Artifacts and key their evals, or those named; a key needs all it covers among them.

    What is looked at is noted in `trace`. Files are read as far as `stat` does not vouch for what this
    process knows of them.
    """
    trace = trace or Trace()
    names = tuple(artifacts)
    project = graph.project
    memory = known_of(root)
    digests = StatDigests(str(root), memory.files(), trace)
    found = await Fingerprinter(root, graph, environment, digests, trace).take(names)
    memory.learn(trace)
    if evals is None:
        evals = [eval_id for name in names for eval_id in project.artifacts[name].evals]
    keys = {eval_id: reuse_key(project, eval_id, found.values) for eval_id in evals}
    definitions = {eval_id: definition_hash(project.evals[eval_id]) for eval_id in evals}
    return Look(graph, found, keys, definitions)


def declared_environment(environ: Mapping[str, str], project: Project) -> dict[str, str]:
    """Return what of an environment the commands of a project may inherit or be fingerprinted with."""
    rules = (artifact.declaration.fingerprint for artifact in project.artifacts.values())
    declared = sorted({name for rule in rules if rule is not None for name in rule.env})
    return captured(environ, declared)
