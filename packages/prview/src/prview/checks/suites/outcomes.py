"""What one run of a test suite says, whatever its runner: tests by id, and what kept others from running."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


class Status(StrEnum):
    """How a test ended. Of several ends of one id (a test in two environments) the first one here counts."""

    FAILED = "failed"
    PASSED = "passed"
    SKIPPED = "skipped"


_ORDER = list(Status)


@dataclass(frozen=True)
class Case:
    """One test. `path` is its file in the tree, `name` its name there; `group` is what its subtests share."""

    path: str
    name: str
    status: Status
    line: int = 1
    message: str = ""
    group: str = ""

    @property
    def id(self) -> str:
        """File and name."""
        return f"{self.path}::{self.name}"

    @property
    def family(self) -> str:
        """File and name, without a subtest's own."""
        return f"{self.path}::{self.group or self.name}"


@dataclass(frozen=True)
class Run:
    """All tests of a run by id; `broken` are files that could not be loaded or compiled, with the reason."""

    cases: Mapping[str, Case] = field(default_factory=dict)
    broken: Mapping[str, tuple[int, str]] = field(default_factory=dict)

    def having(self, *statuses: Status) -> frozenset[str]:
        """The ids that ended so."""
        return frozenset(name for name, case in self.cases.items() if case.status in statuses)

    @property
    def ran(self) -> frozenset[str]:
        """The families of which a test was really executed."""
        return frozenset(case.family for case in self.cases.values() if case.status is not Status.SKIPPED)

    @property
    def files(self) -> frozenset[str]:
        """The files with tests that came to an end."""
        return frozenset(case.path for case in self.cases.values())


def collected(cases: Iterable[Case], broken: Mapping[str, tuple[int, str]]) -> Run:
    """A run of these tests; the same id twice ends as its worst."""
    found: dict[str, Case] = {}
    for case in cases:
        known = found.get(case.id)
        if known is None or _ORDER.index(case.status) < _ORDER.index(known.status):
            found[case.id] = case
    return Run(found, dict(broken))
