"""What one declaration file says, after its own mistakes are out and before it is linked to the others."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Mapping

    from artifactize.domain.acceptance import Acceptance
    from artifactize.domain.tool_declarations import ToolDeclaration

Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"


class Kind(StrEnum):
    """Who answers an eval."""

    RUNTIME = "runtime"
    AGENT = "agent"
    HUMAN = "human"
    DEPENDENCY = "dependency"


class Gates(StrEnum):
    """Whether an eval waits for the Artifacts it depends on."""

    GREEN = "green"
    IGNORE = "ignore"


DEFAULT_TIMEOUT_MS = 60_000
MAX_TIMEOUT_MS = 2_147_483_647


@dataclass(frozen=True, slots=True)
class RuntimeProfile:
    """A command that answers by its exit code: 0 GREEN, `error_codes` ERROR, everything else RED."""

    command: str
    args: tuple[str, ...] = ()
    timeout_ms: int = DEFAULT_TIMEOUT_MS
    red_codes: tuple[int, ...] = ()
    error_codes: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class DependencyProfile:
    """An answer derived from other Artifacts: names or the owner's mount aliases, in order."""

    depends_on: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class HumanProfile:
    """A sign-off by `quorum` different people, of `reviewers` only when there are any."""

    quorum: int = 1
    reviewers: tuple[str, ...] = ()


Profile: TypeAlias = RuntimeProfile | DependencyProfile | HumanProfile
_KINDS: Mapping[type, Kind] = {
    RuntimeProfile: Kind.RUNTIME,
    DependencyProfile: Kind.DEPENDENCY,
    HumanProfile: Kind.HUMAN,
}


@dataclass(frozen=True, slots=True)
class EvalDeclaration:
    """One `[evals.<id>]` table. `payload` is empty for a dependency eval.

    `accept` None: the root's review policy decides. The schemas are JSON Schemas of the fields that a verdict
    comes with, None when it has none. `blocking`: `--defer-human` waits for this sign-off all the same.
    """

    id: str
    title: str
    profile: Profile
    payload: Mapping[str, Json] = field(default_factory=dict)
    accept: Acceptance | None = None
    pass_schema: Mapping[str, Json] | None = None
    fail_schema: Mapping[str, Json] | None = None
    blocking: bool = False

    @property
    def kind(self) -> Kind:
        """Who answers this eval."""
        return _KINDS[type(self.profile)]


@dataclass(frozen=True, slots=True)
class FingerprintScript:
    """A command whose standard output is the fingerprint. `files` must exist, and are not hashed."""

    command: str
    args: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    timeout_ms: int = 30_000


@dataclass(frozen=True, slots=True)
class FingerprintRule:
    """How an Artifact is fingerprinted; with `script`, `files` and `ignore` do not apply."""

    files: tuple[str, ...] = (".",)
    ignore: tuple[str, ...] = ()
    env: tuple[str, ...] = ()
    tools: tuple[tuple[str, ...], ...] = ()
    script: FingerprintScript | None = None


@dataclass(frozen=True, slots=True)
class ArtifactDeclaration:
    """One `.artf` file.

    `digest` is the SHA-256 of its text. `file` and `folder` are relative to the repository (`folder` is "" at
    its root); `target` is the name of the declared file inside `folder`, or None for a folder Artifact.
    `fingerprint` None means `false`. `gates`, `accept` and `distinct_reviewer` are the review policy of the
    repository's root. The tools are those that its views offer to agents and to people.
    """

    name: str
    file: str
    folder: str
    target: str | None = None
    tags: tuple[str, ...] = ()
    mounts: Mapping[str, str] = field(default_factory=dict)
    basis: bool = False
    fingerprint: FingerprintRule | None = field(default_factory=FingerprintRule)
    gates: Gates | None = None
    evals: tuple[EvalDeclaration, ...] = ()
    digest: str = ""
    accept: Acceptance | None = None
    distinct_reviewer: bool = False
    agent_tools: tuple[ToolDeclaration, ...] = ()
    human_tools: tuple[ToolDeclaration, ...] = ()
