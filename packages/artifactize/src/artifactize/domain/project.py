"""All declarations of a repository, linked: who is whose child, what names mean, what an eval depends on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from artifactize.domain.declarations import DependencyProfile, Gates

if TYPE_CHECKING:
    from collections.abc import Mapping

    from artifactize.domain.acceptance import Acceptance
    from artifactize.domain.declarations import ArtifactDeclaration, EvalDeclaration, Kind


@dataclass(frozen=True, slots=True)
class Eval:
    """An eval with its references resolved.

    `references` maps every name or alias that its instruction and arguments use to the Artifact meant;
    `names` are the Artifacts it reads that way; `depends_on` are those a dependency eval waits for, in order.
    """

    id: str
    artifact: str
    declaration: EvalDeclaration
    references: Mapping[str, str]
    names: frozenset[str]
    depends_on: tuple[str, ...] = ()

    @property
    def kind(self) -> Kind:
        """Who answers it."""
        return self.declaration.kind

    @property
    def is_derived(self) -> bool:
        """Whether the answer comes from other evals, without execution or reuse."""
        return isinstance(self.declaration.profile, DependencyProfile)


@dataclass(frozen=True, slots=True)
class Artifact:
    """An Artifact with its direct children (nearest declared folders inside it) and its evals' ids."""

    declaration: ArtifactDeclaration
    children: tuple[str, ...]
    evals: tuple[str, ...]

    @property
    def name(self) -> str:
        """Its name, unique in the repository."""
        return self.declaration.name

    @property
    def inputs(self) -> tuple[str, ...]:
        """Return mounts and children, without repetition."""
        return tuple(dict.fromkeys((*self.declaration.mounts.values(), *self.children)))


@dataclass(frozen=True, slots=True)
class Project:
    """Every Artifact by name, every eval by id, in configuration order (declaration path, then id).

    `accept` is what the root's review policy accepts of records.
    """

    artifacts: Mapping[str, Artifact]
    evals: Mapping[str, Eval]
    accept: Acceptance | None = None

    @property
    def gates(self) -> Gates:
        """The dependency gates of the root's review policy; green unless it says otherwise."""
        for artifact in self.artifacts.values():
            if artifact.declaration.gates is not None:
                return artifact.declaration.gates
        return Gates.GREEN

    def acceptance(self, eval_id: str) -> Acceptance | None:
        """Return what an eval accepts of its records: its own rule, else that of the root's review policy."""
        own = self.evals[eval_id].declaration.accept
        return own if own is not None else self.accept

    def covered(self, eval_id: str) -> tuple[str, ...]:
        """Return the Artifacts whose fingerprints an eval's reuse key covers, sorted by name.

        They are its target, the target's mounts and children, and what the eval names (spec 40, section 3).
        """
        found = self.evals[eval_id]
        inputs = self.artifacts[found.artifact].inputs
        return tuple(sorted({found.artifact, *inputs, *found.names}))

    def dependencies(self, eval_id: str) -> tuple[str, ...]:
        """Return the other Artifacts that an eval depends on directly, sorted by name."""
        found = self.evals[eval_id]
        return tuple(name for name in self.covered(eval_id) if name != found.artifact)
