"""What the page is made of."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING

from prview.domain.findings import LEVEL_ORDER, Level
from prview.render.dashboard.rows import hunks

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from prview.domain.change import Change, ChangedFile
    from prview.domain.checks import CheckResult
    from prview.domain.coverage import Coverage
    from prview.domain.decision import Decision
    from prview.domain.findings import Judged
    from prview.domain.signals import SignalResult
    from prview.models.gate import MergeGate
    from prview.models.records import RunRecord


@dataclass(frozen=True)
class PastRun:
    """An earlier run of the branch."""

    run_id: str
    commit: str
    verdict: str
    generated_at: str
    introduced: int
    preexisting: int
    files_changed: int


def tone(levels: Iterable[Level]) -> str:
    """The class of a badge about findings: red for errors, amber for warnings, none for notes."""
    worst = min(levels, key=LEVEL_ORDER.__getitem__, default=Level.NOTE)
    return {Level.ERROR: "bad", Level.WARNING: "warn"}.get(worst, "")


@dataclass(frozen=True)
class Dashboard:
    """A review, secrets taken out. `patches`: changed path to the pack-relative path of its own patch.

    `history` are earlier runs of the branch, the oldest first.
    """

    change: Change
    decision: Decision
    coverage: Coverage
    run: RunRecord
    gate: MergeGate
    signals: tuple[SignalResult, ...] = ()
    history: tuple[PastRun, ...] = ()
    patches: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))

    @property
    def results(self) -> tuple[CheckResult, ...]:
        """What every check saw."""
        return tuple(weighed.result for weighed in self.decision.checks)

    @cached_property
    def judged(self) -> tuple[Judged, ...]:
        """All findings: introduced and severe ones first, then by place."""
        found = [item for result in self.results for item in result.judged]
        return tuple(sorted(found, key=lambda item: item.urgency))

    @cached_property
    def by_path(self) -> Mapping[str, tuple[Judged, ...]]:
        """The findings of every file that has any."""
        grouped: dict[str, list[Judged]] = {}
        for item in self.judged:
            grouped.setdefault(item.finding.path, []).append(item)
        return {path: tuple(items) for path, items in grouped.items()}

    @cached_property
    def anchors(self) -> Mapping[str, str]:
        """Changed path to the id of its place in the page."""
        return {file.path: f"f{number}" for number, file in enumerate(self.change.files, 1)}

    @cached_property
    def unexamined(self) -> frozenset[str]:
        """Changed files that no check looked at."""
        return frozenset(self.coverage.unexamined)

    def introduced(self, path: str) -> int:
        """How many findings the change brings to a file."""
        return sum(item.introduced for item in self.by_path.get(path, ()))

    def tone(self, path: str) -> str:
        """The class of the badge of a file: by the worst finding that the change brings to it."""
        return tone(item.finding.level for item in self.by_path.get(path, ()) if item.introduced)

    def aside(self, file: ChangedFile) -> str | None:
        """Why a file is not the repository's own work, or None."""
        return self.coverage.outside.get(file.path)

    def lines_of(self, file: ChangedFile) -> frozenset[int]:
        """Numbers, in the new file, of the lines that the diff shows."""
        return frozenset(row.new for hunk in hunks(file.patch) for row in hunk.rows if row.new)
