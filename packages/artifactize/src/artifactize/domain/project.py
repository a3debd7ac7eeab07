"""All declarations of a repository, linked: who is whose child, what names mean, what an eval depends on."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from artifactize.domain.acceptance import Acceptance
from artifactize.domain.declarations import DependencyProfile, Gates, HumanProfile

if TYPE_CHECKING:
    from collections.abc import Mapping

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

    `accept` is what the root's review policy accepts of records; with `distinct_reviewer` whoever changed an
    Artifact last cannot sign it off.
    """

    artifacts: Mapping[str, Artifact]
    evals: Mapping[str, Eval]
    accept: Acceptance | None = None
    distinct_reviewer: bool = False

    @property
    def gates(self) -> Gates:
        """The dependency gates of the root's review policy; green unless it says otherwise."""
        for artifact in self.artifacts.values():
            if artifact.declaration.gates is not None:
                return artifact.declaration.gates
        return Gates.GREEN

    def acceptance(self, eval_id: str) -> Acceptance | None:
        """Return what an eval accepts of its records: its own rule, else that of the root's review policy.

        For a sign-off its profile's reviewers and quorum apply as well: they are no part of its key.
        """
        own = self.evals[eval_id].declaration.accept
        found = own if own is not None else self.accept
        profile = self.evals[eval_id].declaration.profile
        if not isinstance(profile, HumanProfile):
            return None if found is None or found.max_age is None else _age_only(found)
        found = found or Acceptance()
        reviewers = found.reviewers
        if profile.reviewers:
            reviewers = tuple(replace(found, distinct=False).counting(profile.reviewers, ()))
        quorum = max(profile.quorum, found.quorum)
        return replace(found, reviewers=reviewers, quorum=quorum, distinct=self.distinct_reviewer)

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


def _age_only(found: Acceptance) -> Acceptance:
    return Acceptance(found.max_age, found.declared)
