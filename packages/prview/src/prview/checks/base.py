"""What a check is, and what it is given.

A check says whether it has something to look at (`applies`), then looks (`look`) and returns what it saw. It
never decides: levels and origin of findings are facts, policy is applied later. What keeps it from looking
is raised:

CheckProblem
├── ToolUnavailableError    the program is not installed                      -> `unavailable`
├── CodeForbiddenError      it would run code that may not be run            -> `skipped`, not neutral
├── ToolTimeoutError        it did not end before its deadline               -> `timeout`
└── ToolOutputError         it failed, or said something we cannot read      -> `error`
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Protocol

import anyio

if TYPE_CHECKING:
    from pathlib import Path

    from prview.checks.trees import Trees
    from prview.domain.change import Change
    from prview.domain.checks import Kind
    from prview.domain.findings import Judged
    from prview.store.cache import ResultCache


class CheckProblem(Exception):  # noqa: N818 - the root of the tree; its members say Error
    """A check could not look. `log` is what its program printed."""

    def __init__(self, message: str, *, log: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.log = log


class ToolUnavailableError(CheckProblem):
    """The program that a check needs is not installed."""


class CodeForbiddenError(CheckProblem):
    """Looking means running code of the reviewed commit, and nobody allowed that."""


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


def _slots() -> anyio.CapacityLimiter:
    return anyio.CapacityLimiter(max(2, os.cpu_count() or 2))


@dataclass(frozen=True)
class CheckContext:
    """Everything a check may use.

    `checkouts` are work trees of the repository, the one under review first: where the project keeps its own
    tools. `paths` are all files of the reviewed commit. `may_run_code` says whether code of the reviewed
    commit may be executed. `scratch` is a private folder that is removed afterwards. `timeout_s` are the
    seconds that the programs of one check may take together. `run_id` names the run that is made; results of
    earlier runs come from `cache` (None: nothing is reused). `slots` bounds how many programs run at a time.
    """

    change: Change
    trees: Trees
    paths: frozenset[str]
    checkouts: tuple[Path, ...]
    scratch: Path
    profile: Profile
    may_run_code: bool
    timeout_s: float
    run_id: str = ""
    cache: ResultCache | None = None
    slots: anyio.CapacityLimiter = field(default_factory=_slots)


@dataclass(frozen=True)
class Skip:
    """Why a check does not look. `neutral`: nothing is missing because of it."""

    reason: str
    neutral: bool = True


@dataclass(frozen=True)
class Sight:
    """What a check saw.

    `unseen` names what it should have seen and could not (lowers the confidence). `problem` ended it before
    it was through: what it saw until then counts, and the check does not count as executed. `reused_from` are
    the runs that looked instead of this one, and is empty unless every look at the head was theirs.
    """

    judged: tuple[Judged, ...] = ()
    examined: frozenset[str] = frozenset()
    flaky: tuple[str, ...] = ()
    tool: str | None = None
    log: str = ""
    unseen: str | None = None
    problem: CheckProblem | None = None
    reused_from: tuple[str, ...] = ()


class Check(Protocol):
    """One check. `id` names its files in the pack and its line in a policy."""

    id: str
    name: str
    kind: Kind

    def applies(self, context: CheckContext) -> Skip | None:
        """Return why there is nothing to look at, or None."""
        ...

    async def look(self, context: CheckContext) -> Sight | Skip:
        """Look, or say why there is nothing to see after all. Raises a CheckProblem when it cannot."""
        ...
