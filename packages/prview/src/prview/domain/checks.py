"""What one check did and found, in the words that the decision is derived from."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from prview.domain.findings import LEVEL_ORDER, Judged, Level

LEFT_OUT = "left out by"
"""How the reason of a check begins that the mode or an option left out, although it had something to do."""


class Kind(StrEnum):
    """What a check is about."""

    LINT = "lint"
    TYPES = "types"
    TESTS = "tests"
    SECURITY = "security"
    HYGIENE = "hygiene"
    POLICY = "policy"
    SIGNAL = "signal"


CODE_KINDS = frozenset({Kind.LINT, Kind.TYPES, Kind.TESTS})
"""Kinds that read source as a language; the others read any text."""


class State(StrEnum):
    """How far a check came."""

    EXECUTED = "executed"
    SKIPPED = "skipped"
    UNAVAILABLE = "unavailable"
    ERROR = "error"
    TIMEOUT = "timeout"


class Outcome(StrEnum):
    """What an executed check saw; NONE when it saw nothing."""

    CLEAN = "clean"
    INTRODUCED = "introduced"
    PREEXISTING = "preexisting"
    FLAKY = "flaky"
    NONE = "none"


class Confidence(StrEnum):
    """What a check that did not look takes from the analysis."""

    NONE = "none"
    LOWERED = "lowered"
    LOST = "lost"


@dataclass(frozen=True)
class CheckResult:
    """The end of one check.

    `examined` are the changed paths it really looked at; `flaky` the tests that failed once and passed once;
    `neutral` marks a skip that takes nothing from the analysis (left out by the mode, or nothing to look at).
    `unseen` names what an executed check should have seen and could not.
    `tool` is the program with its version, `duration_s` seconds of wall-clock, `log` what a reader may want.
    `escalates`: what it saw deserves a look by a person, whatever the levels of its findings.
    `cached`: it looked in the runs `reused_from`, at the same content with the same tools and configuration.
    """

    id: str
    name: str
    kind: Kind
    state: State
    reason: str | None = None
    judged: tuple[Judged, ...] = ()
    flaky: tuple[str, ...] = ()
    examined: frozenset[str] = frozenset()
    neutral: bool = False
    duration_s: float = 0.0
    cached: bool = False
    tool: str | None = None
    log: str = ""
    unseen: str | None = None
    reused_from: tuple[str, ...] = ()
    escalates: bool = False

    @property
    def left_out(self) -> bool:
        """Whether it would have looked in another mode."""
        return self.state is State.SKIPPED and self.neutral and (self.reason or "").startswith(LEFT_OUT)

    @property
    def introduced(self) -> tuple[Judged, ...]:
        """What the change brought."""
        return tuple(item for item in self.judged if item.introduced)

    @property
    def preexisting(self) -> tuple[Judged, ...]:
        """What was there before."""
        return tuple(item for item in self.judged if not item.introduced)

    @property
    def worst_introduced(self) -> Level | None:
        """The worst level among the introduced findings."""
        levels = [item.finding.level for item in self.introduced]
        return min(levels, key=LEVEL_ORDER.__getitem__, default=None)

    @property
    def outcome(self) -> Outcome:
        """What it saw, the most serious first."""
        if self.state is not State.EXECUTED:
            return Outcome.NONE
        if self.introduced:
            return Outcome.INTRODUCED
        if self.flaky:
            return Outcome.FLAKY
        return Outcome.PREEXISTING if self.judged else Outcome.CLEAN

    @property
    def status(self) -> str:
        """One word for a table: PASS only when it was executed and nothing new was found but notes."""
        if self.state is State.EXECUTED:
            return "PASS" if self.worst_introduced in {None, Level.NOTE} and not self.escalates else "FAIL"
        return self.state.value.upper()

    @property
    def confidence(self) -> Confidence:
        """What it takes from the analysis."""
        if self.state is State.EXECUTED:
            return Confidence.LOWERED if self.unseen else Confidence.NONE
        if self.state is State.SKIPPED and self.neutral:
            return Confidence.NONE
        if self.state in {State.SKIPPED, State.UNAVAILABLE} or self.kind is Kind.SIGNAL:
            return Confidence.LOWERED
        return Confidence.LOST
