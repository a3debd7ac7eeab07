"""How a Run ends: its obligations, its outcome, its exit code."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from artifactize.domain.declarations import Kind
from artifactize.domain.states import Outcome, RequestState

if TYPE_CHECKING:
    from collections.abc import Iterable

    from artifactize.domain.project import Project
    from artifactize.domain.standing import Evidence

EXIT_CODES = {
    Outcome.GREEN: 0,
    Outcome.RED: 1,
    Outcome.ERROR: 2,
    Outcome.CANCELLED: 2,
    Outcome.INCOMPLETE: 4,
    Outcome.SIGNOFFS_PENDING: 5,
}
"""What `verify` exits with (spec 40, section 5); 3 is a human wait that timed out."""

_FOLLOWING = frozenset({Kind.HUMAN, Kind.DEPENDENCY})
_UNFINISHED = frozenset({RequestState.STALE, RequestState.BUDGET_EXHAUSTED})
_SIGNOFFS = frozenset({RequestState.DEFERRED, RequestState.PROVISIONAL})


@dataclass(frozen=True, slots=True)
class Unmet:
    """An eval of the required closure without GREEN evidence; `state` None: nothing is known of it.

    `follows`: no machine has to do anything for it, since people or what it depends on answer for it.
    """

    eval: str
    state: RequestState | None
    follows: bool = False


def unmet(project: Project, closure: Iterable[str], evidence: Evidence) -> tuple[Unmet, ...]:
    """Return the obligations of a closure that are not met, in configuration order."""
    return tuple(
        Unmet(eval_id, evidence.get(eval_id), project.evals[eval_id].kind in _FOLLOWING)
        for name in closure
        for eval_id in project.artifacts[name].evals
        if evidence.get(eval_id) is not RequestState.GREEN
    )


def judge(obligations: Iterable[Unmet], *, cancelled: bool) -> Outcome:
    """Return the outcome that final validation gives.

    A Run that was cut short says so before it says RED: what it found is not all there is to find. Then
    ERROR comes before RED, since a broken eval needs repair before its Run can be believed.
    """
    obligations = tuple(obligations)
    states = {each.state for each in obligations}
    if cancelled or RequestState.CANCELLED in states:
        return Outcome.CANCELLED
    if states & _UNFINISHED:
        return Outcome.INCOMPLETE
    if RequestState.ERROR in states:
        return Outcome.ERROR
    if RequestState.RED in states:
        return Outcome.RED
    if RequestState.DEFERRED in states and all(_waits_for_people(each) for each in obligations):
        return Outcome.SIGNOFFS_PENDING
    return Outcome.INCOMPLETE if states else Outcome.GREEN


def _waits_for_people(each: Unmet) -> bool:
    """Whether an obligation will be met by sign-offs alone, given that others hold it up in no other way."""
    return each.state in _SIGNOFFS or (each.follows and each.state is RequestState.WAIT_DEPENDENCY)
