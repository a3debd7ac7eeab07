"""What a repository wants to block on. Pure: reading the file is the store's work."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType
from typing import TYPE_CHECKING

from prview.domain.findings import Level

if TYPE_CHECKING:
    from collections.abc import Mapping


class Mode(StrEnum):
    """How far policy goes: shadow never blocks; warn blocks on severity block; block blocks on warn, too."""

    SHADOW = "shadow"
    WARN = "warn"
    BLOCK = "block"


class Severity(StrEnum):
    """What a failed check means to the repository."""

    BLOCK = "block"
    WARN = "warn"
    IGNORE = "ignore"


class Impact(StrEnum):
    """What a check does to the merge."""

    NONE = "none"
    REVIEW = "review"
    BLOCK = "block"


@dataclass(frozen=True)
class Policy:
    """The rules of one repository; the defaults hold where it has none.

    `checks` gives a check its own severity. Otherwise introduced errors (a failed test, an undefined name,
    a conflict marker) block, warnings take `default_severity`, and notes are ignored.
    """

    version: int = 1
    mode: Mode = Mode.WARN
    default_severity: Severity = Severity.WARN
    checks: Mapping[str, Severity] = field(default_factory=lambda: MappingProxyType({}))
    source: str = "default"

    def severity(self, check: str, worst: Level | None) -> Severity:
        """The severity of a check whose worst introduced finding is `worst`."""
        if check in self.checks:
            return self.checks[check]
        if worst is Level.ERROR:
            return Severity.BLOCK
        return Severity.IGNORE if worst is Level.NOTE else self.default_severity

    def impact(self, severity: Severity) -> Impact:
        """What a failure of this severity does to the merge."""
        if severity is Severity.IGNORE or self.mode is Mode.SHADOW:
            return Impact.NONE
        if severity is Severity.BLOCK or self.mode is Mode.BLOCK:
            return Impact.BLOCK
        return Impact.REVIEW


DEFAULT_POLICY = Policy()
