"""A located statement of a check about the code, and what is known of its origin."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from enum import StrEnum


class Level(StrEnum):
    """How bad a finding is, in SARIF's words."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


LEVEL_ORDER = {Level.ERROR: 0, Level.WARNING: 1, Level.NOTE: 2}


class Provenance(StrEnum):
    """Whether the change brought a finding, or it was there before."""

    INTRODUCED = "introduced"
    PREEXISTING = "preexisting"


@dataclass(frozen=True)
class Finding:
    """One finding of one check in one tree.

    `line` and `column` count from 1; a finding about a whole file has line 1 and no column.
    `anchor` is the text that identifies the place when lines move: the stripped line, or a test's id.
    `subject` names what it is about where the line does not (a symbol); `removed`: that is gone, and the line
    is where it stood, so that whatever stands there now is not what is meant.
    """

    check: str
    rule: str
    level: Level
    path: str
    line: int
    message: str
    anchor: str = ""
    column: int | None = None
    end_line: int | None = None
    help_uri: str | None = None
    subject: str = ""
    removed: bool = False

    @property
    def rule_id(self) -> str:
        """The rule with its check, as SARIF and the findings tool show it."""
        return f"{self.check}/{self.rule}"


@dataclass(frozen=True)
class Judged:
    """A finding of the reviewed tree with its origin.

    `occurrence` numbers equal findings (same rule, path and anchor) from 0; `on_added_line` says whether the
    diff touches its line, which an introduced finding need not do (a removed import breaks lines elsewhere).
    """

    finding: Finding
    provenance: Provenance
    occurrence: int
    on_added_line: bool

    @property
    def introduced(self) -> bool:
        """Whether the change brought it."""
        return self.provenance is Provenance.INTRODUCED

    @property
    def fingerprint(self) -> str:
        """Stays the same while lines above it come and go: SHA-256 over rule, path, anchor and occurrence."""
        finding = self.finding
        parts = (finding.rule_id, finding.path, finding.anchor, str(self.occurrence))
        return hashlib.sha256("\0".join(parts).encode("utf-8", "backslashreplace")).hexdigest()

    @property
    def sort_key(self) -> tuple[str, int, str, str, int]:
        """Deterministic order: file, line, rule, then what tells equal ones apart."""
        finding = self.finding
        return finding.path, finding.line, finding.rule_id, finding.message, self.occurrence

    @property
    def urgency(self) -> tuple[bool, int, tuple[str, int, str, str, int]]:
        """The order in which people should hear of findings: new ones first, then by level, then by place."""
        return not self.introduced, LEVEL_ORDER[self.finding.level], self.sort_key
