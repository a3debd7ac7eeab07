"""Earlier reviews of the same range that found what this one did not look for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from prview.domain.checks import State
from prview.models.gate import MergeGate
from prview.store.documents import read_document
from prview.store.paths import GATE
from prview.store.runs import COMPLETED, StoredRun, list_runs

if TYPE_CHECKING:
    from collections.abc import Sequence

    from prview.domain.change import Change
    from prview.domain.checks import CheckResult
    from prview.domain.policy import Policy
    from prview.models.gate import GateCheck
    from prview.store.home import BranchRuns

_AGAINST = frozenset({"review", "block"})


def contradictions(
    branch: BranchRuns, change: Change, results: Sequence[CheckResult], policy: Policy
) -> tuple[str, ...]:
    """One sentence for each earlier run whose failed checks were left out now, the newest first.

    Of every check the newest run that executed it counts, so that one which passed meanwhile is settled. What
    the policy wants nothing of is no evidence.
    """
    settled = {result.id for result in results if not result.left_out}
    told = []
    for run in list_runs(branch):
        gate = _gate_of(run, change)
        if gate is None:
            continue
        executed = [check for check in gate.checks if check.execution_state == State.EXECUTED.value]
        against = [check for check in executed if check.id not in settled and _is_against(check, policy)]
        settled |= {check.id for check in executed}
        if against:
            names = ", ".join(check.id for check in against)
            told.append(
                f"run {run.run_id} ({gate.profile}) of this commit said {gate.decision.verdict}: "
                f"{names} failed, and this run left that out"
            )
    return tuple(told)


def _is_against(check: GateCheck, policy: Policy) -> bool:
    return check.merge_impact in _AGAINST and not policy.silences(check.id)


def _gate_of(run: StoredRun, change: Change) -> MergeGate | None:
    """The gate of a completed run of the same range."""
    if run.status != COMPLETED or run.record is None:
        return None
    same = (run.record.commit, run.record.merge_base) == (change.head, change.merge_base)
    return read_document(run.folder / GATE, MergeGate) if same else None
