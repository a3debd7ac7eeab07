"""What an analyzer is, and what it is given."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from oskit.git import Repository
    from prview.checks.base import Profile
    from prview.checks.trees import Trees
    from prview.domain.change import Change
    from prview.domain.signals import Signal


@dataclass(frozen=True)
class SignalConfig:
    """What the project decides about signals.

    `ignored` are patterns in .gitignore's language: matching paths are nobody's business.
    `breaking_escalation` says whether a breaking change alone keeps a change from PASS.
    """

    ignored: tuple[str, ...] = ()
    breaking_escalation: bool = True


@dataclass(frozen=True)
class SignalContext:
    """Everything an analyzer may use; all of it is read-only and none of it may be executed.

    `trees` exports either side when first asked for it; `base_paths` and `head_paths` are all files of the
    merge base and of the reviewed commit. `repository` answers questions about history.
    """

    change: Change
    trees: Trees
    base_paths: frozenset[str]
    head_paths: frozenset[str]
    repository: Repository
    profile: Profile
    config: SignalConfig = field(default_factory=SignalConfig)


class Analyzer(Protocol):
    """One signal. `kind` names it in ids and files, `title` is for people."""

    kind: str
    title: str

    async def analyze(self, context: SignalContext) -> Signal | None:
        """Say what there is to say; None writes nothing. What it raises is its error, never the run's."""
        ...
