"""What evidence says: is an Artifact fulfilled, is a gate open, what does a dependency eval derive."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, TypeAlias

from artifactize.domain.cycles import components
from artifactize.domain.states import RequestState

if TYPE_CHECKING:
    from collections.abc import Iterable

    from artifactize.domain.project import Project

Evidence: TypeAlias = Mapping[str, "RequestState | None"]
"""The current state of each eval; None or absent: nothing is known of it."""

_REFUSING = frozenset({RequestState.RED, RequestState.BLOCKED})


class Standing(StrEnum):
    """What an Artifact's evals say together."""

    GREEN = "GREEN"
    RED = "RED"
    PENDING = "PENDING"


@dataclass(frozen=True, slots=True)
class Gate:
    """Whether an eval may start: open, or behind RED Artifacts, or waiting for others. Names are sorted."""

    blocked_by: tuple[str, ...] = ()
    waiting_for: tuple[str, ...] = ()

    @property
    def is_open(self) -> bool:
        """Whether nothing holds it."""
        return not self.blocked_by and not self.waiting_for


def standing(project: Project, name: str, evidence: Evidence) -> Standing:
    """Return how an Artifact stands. Without evals (a basis, too) it is GREEN: it owes nothing of its own."""
    states = [evidence.get(eval_id) for eval_id in project.artifacts[name].evals]
    if any(state in _REFUSING for state in states):
        return Standing.RED
    return Standing.GREEN if all(state is RequestState.GREEN for state in states) else Standing.PENDING


def gate(names: Iterable[str], standings: Mapping[str, Standing]) -> Gate:
    """Return the gate that these Artifacts make."""
    names = tuple(names)
    blocked = tuple(name for name in names if standings[name] is Standing.RED)
    waiting = tuple(name for name in names if standings[name] is Standing.PENDING)
    return Gate(blocked, waiting)


def derive(project: Project, eval_id: str, evidence: Evidence) -> tuple[RequestState, tuple[str, ...]]:
    """Return the state of a dependency eval with what holds it up.

    That is each unfulfilled Artifact in the declared order, followed by its evals that are not GREEN.
    """
    blockers: list[str] = []
    state = RequestState.GREEN
    for name in project.evals[eval_id].depends_on:
        stands = standing(project, name, evidence)
        if stands is Standing.GREEN:
            continue
        blockers.append(name)
        blockers += [
            each for each in project.artifacts[name].evals if evidence.get(each) is not RequestState.GREEN
        ]
        if stands is Standing.RED:
            state = RequestState.BLOCKED
        elif state is RequestState.GREEN:
            state = RequestState.WAIT_DEPENDENCY
    return state, tuple(blockers)


def with_derived(project: Project, evidence: Evidence) -> dict[str, RequestState | None]:
    """Return the evidence with every dependency eval derived from it, innermost first."""
    found = dict(evidence)
    for eval_id in derivation_order(project):
        found[eval_id], _ = derive(project, eval_id, found)
    return found


def derivation_order(project: Project) -> list[str]:
    """Return the dependency evals, each after those that it waits for."""
    derived = {eval_id: each for eval_id, each in project.evals.items() if each.is_derived}
    waits = {
        eval_id: [
            other for name in each.depends_on for other in project.artifacts[name].evals if other in derived
        ]
        for eval_id, each in derived.items()
    }
    return [eval_id for group in components(waits) for eval_id in sorted(group)]
