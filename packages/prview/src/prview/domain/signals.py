"""What a signal says about a change: located findings, a document for people, data for programs.

A signal reads the change as a whole where a check reads it with a tool: what breaks for callers, what lost
its tests, what still points at something that is gone. Like a check it states facts and decides nothing.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

from prview.domain.provenance import judge

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pydantic import JsonValue

    from prview.domain.change import Change
    from prview.domain.findings import Finding, Judged

PREFIX = "signal_"
"""Begins the check id of every signal's findings and its id in a policy."""


def check_id(kind: str) -> str:
    """The id that findings, gate and policy use for the signal `kind`."""
    return PREFIX + kind


@dataclass(frozen=True)
class Artifact:
    """A text file of the pack; `path` is pack-relative (`20_quality/BREAKING_CHANGES.md`)."""

    path: str
    text: str


@dataclass(frozen=True)
class Signal:
    """What one analyzer has to say.

    `findings` have `check_id(kind)` as their check and are brought by the change, all of them; one that was
    found by pattern and not by reading the language says so in its message and is a warning or a note.
    `data` goes into report.json as it is. `escalates`: the change deserves at least CONDITIONAL.
    `limits` are sentences about what could not be looked at; any of them lowers the confidence.
    """

    kind: str
    title: str
    findings: tuple[Finding, ...] = ()
    artifacts: tuple[Artifact, ...] = ()
    data: Mapping[str, JsonValue] = field(default_factory=dict)
    escalates: bool = False
    limits: tuple[str, ...] = ()

    def judged(self, change: Change) -> tuple[Judged, ...]:
        """The findings as the gate, SARIF and the findings tool take them: numbered, all introduced."""
        return judge(self.findings, (), renames={}, added=change.added_numbers)


class SignalState(StrEnum):
    """How an analyzer ended."""

    SPOKE = "spoke"
    SILENT = "silent"
    ERROR = "error"


@dataclass(frozen=True)
class SignalResult:
    """The end of one analyzer. `signal` is None unless it spoke; `reason` and `log` tell about an error.

    `duration_s` is seconds of wall-clock.
    """

    kind: str
    title: str
    state: SignalState
    signal: Signal | None = None
    reason: str | None = None
    log: str = ""
    duration_s: float = 0.0

    @property
    def id(self) -> str:
        """The id in gate and policy."""
        return check_id(self.kind)

    @property
    def artifacts(self) -> tuple[Artifact, ...]:
        """The documents it wrote."""
        return self.signal.artifacts if self.signal else ()

    @property
    def limits(self) -> tuple[str, ...]:
        """What was not looked at, an analyzer that failed included; any of them lowers the confidence."""
        if self.state is SignalState.ERROR:
            return (f"{self.title}: could not be evaluated: {self.reason}",)
        return self.signal.limits if self.signal else ()
