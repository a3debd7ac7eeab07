"""What a check is, and what it is given.

A check says whether it has something to look at (`applies`), then looks (`look`) and returns what it saw. It
never decides: levels and origin of findings are facts, policy is applied later. What keeps it from looking
is raised:

CheckProblem
├── ToolUnavailableError    the program is not installed                      -> `unavailable`
├── ToolTimeoutError        it did not end before its deadline               -> `timeout`
└── ToolOutputError         it failed, or said something we cannot read      -> `error`
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from pathlib import Path

    from prview.checks.trees import Trees
    from prview.domain.change import Change
    from prview.domain.checks import Kind
    from prview.domain.findings import Finding, Judged


class CheckProblem(Exception):  # noqa: N818 - the root of the tree; its members say Error
    """A check could not look. `log` is what its program printed."""

    def __init__(self, message: str, *, log: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.log = log


class ToolUnavailableError(CheckProblem):
    """The program that a check needs is not installed."""


class ToolTimeoutError(CheckProblem):
    """The program did not end in time and was ended with everything it started."""


class ToolOutputError(CheckProblem):
    """The program failed, or its output is not what we know how to read."""


class Profile(StrEnum):
    """How much is looked at: quick is static and limited to the changed files, deep is everything."""

    QUICK = "quick"
    STANDARD = "standard"
    DEEP = "deep"


CHECK_TIMEOUT_S = {Profile.QUICK: 60.0, Profile.STANDARD: 600.0, Profile.DEEP: 1800.0}
"""Seconds that one check may take, unless the caller says otherwise."""


@dataclass(frozen=True)
class CheckContext:
    """Everything a check may use.

    `checkouts` are work trees of the repository, the one under review first: where the project keeps its own
    tools. `paths` are all files of the reviewed commit. `may_run_code` says whether code of the reviewed
    commit may be executed. `scratch` is a private folder that is removed afterwards.
    """

    change: Change
    trees: Trees
    paths: frozenset[str]
    checkouts: tuple[Path, ...]
    scratch: Path
    profile: Profile
    may_run_code: bool
    timeout_s: float


@dataclass(frozen=True)
class Skip:
    """Why a check does not look. `neutral`: nothing is missing because of it."""

    reason: str
    neutral: bool = True


@dataclass(frozen=True)
class Sight:
    """What a check saw. `unseen` names what it should have seen and could not (lowers the confidence)."""

    judged: tuple[Judged, ...] = ()
    examined: frozenset[str] = frozenset()
    flaky: tuple[str, ...] = ()
    tool: str | None = None
    log: str = ""
    unseen: str | None = None


@dataclass(frozen=True)
class Seen:
    """The findings of one tree, before they are compared."""

    findings: tuple[Finding, ...]
    log: str


class Check(Protocol):
    """One check. `id` names its files in the pack and its line in a policy."""

    id: str
    name: str
    kind: Kind

    def applies(self, context: CheckContext) -> Skip | None:
        """Return why there is nothing to look at, or None."""
        ...

    async def look(self, context: CheckContext) -> Sight:
        """Look. Raises a CheckProblem when that is not possible."""
        ...
