"""What a repository wants to block on. Pure: where the file comes from is the service's work."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from fnmatch import fnmatchcase
from types import MappingProxyType
from typing import TYPE_CHECKING

from prview.domain.findings import LEVEL_ORDER, Level

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from prview.domain.findings import Finding


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


SEVERITY_ORDER = {Severity.BLOCK: 0, Severity.WARN: 1, Severity.IGNORE: 2}


class Impact(StrEnum):
    """What a check does to the merge."""

    NONE = "none"
    REVIEW = "review"
    BLOCK = "block"


@dataclass(frozen=True)
class Policy:
    """The rules of one repository; the defaults hold where it has none.

    `rules` gives single rules (`ruff/F401`, `ruff/S*`) a severity, `checks` whole checks; the rule goes
    first. Otherwise introduced errors (a failed test, an undefined name, a conflict marker) block, warnings
    take `default_severity`, and notes are ignored.
    """

    version: int = 1
    mode: Mode = Mode.WARN
    default_severity: Severity = Severity.WARN
    checks: Mapping[str, Severity] = field(default_factory=lambda: MappingProxyType({}))
    rules: Mapping[str, Severity] = field(default_factory=lambda: MappingProxyType({}))
    source: str = "default"

    def severity(self, check: str, worst: Level | None) -> Severity:
        """The severity of a check whose worst introduced finding is `worst`, single rules left aside."""
        if check in self.checks:
            return self.checks[check]
        if worst is Level.ERROR:
            return Severity.BLOCK
        return Severity.IGNORE if worst is Level.NOTE else self.default_severity

    def finding_severity(self, finding: Finding) -> Severity:
        """The severity of one finding; of several rules that fit, the longest counts."""
        fitting = [pattern for pattern in self.rules if fnmatchcase(finding.rule_id, pattern)]
        if fitting:
            return self.rules[max(fitting, key=len)]
        return self.severity(finding.check, finding.level)

    def worst_severity(self, check: str, introduced: Iterable[Finding]) -> Severity:
        """The severity of a check that found these; what a check without findings would mean otherwise."""
        findings = list(introduced)
        if not self.rules:
            worst = min((finding.level for finding in findings), key=LEVEL_ORDER.__getitem__, default=None)
            return self.severity(check, worst)
        severities = [self.finding_severity(finding) for finding in findings]
        return min(severities, key=SEVERITY_ORDER.__getitem__, default=self.severity(check, None))

    def silences(self, check: str) -> bool:
        """Whether the repository wants nothing of a check: whatever became of it plays no part."""
        return self.checks.get(check) is Severity.IGNORE and not any(
            pattern.startswith(f"{check}/") and severity is not Severity.IGNORE
            for pattern, severity in self.rules.items()
        )

    def impact(self, severity: Severity) -> Impact:
        """What a failure of this severity does to the merge."""
        if severity is Severity.IGNORE or self.mode is Mode.SHADOW:
            return Impact.NONE
        if severity is Severity.BLOCK or self.mode is Mode.BLOCK:
            return Impact.BLOCK
        return Impact.REVIEW


DEFAULT_POLICY = Policy()
