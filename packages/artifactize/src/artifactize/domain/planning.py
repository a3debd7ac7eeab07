"""What the next `verify` will do with each eval, and why: the decisions that `status` shows."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from artifactize.domain.declarations import Gates, Kind
from artifactize.domain.standing import Standing, derive, gate, standing, with_derived
from artifactize.domain.states import RequestState

if TYPE_CHECKING:
    from collections.abc import Mapping
    from collections.abc import Set as AbstractSet

    from artifactize.domain.changes import Changes
    from artifactize.domain.graph import Graph
    from artifactize.domain.selection import Chosen


class Action(StrEnum):
    """What `verify` does with an eval. NONE: it is only an obligation, and runs with `--recursive`."""

    EXECUTE = "execute"
    REUSE = "reuse"
    WAIT = "wait"
    BLOCKED = "blocked"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class Known:
    """What the state knows of an eval now.

    `verdict` with `run_id` is the reusable record; `executing` the Run that executes its key at this moment;
    `unkeyed` the Artifact without a fingerprint that rules reuse out; `changes` why an older record fell;
    `refused` why the record of its key is not accepted.
    """

    verdict: RequestState | None = None
    run_id: str | None = None
    executing: str | None = None
    unkeyed: str | None = None
    changes: Changes | None = None
    refused: str | None = None


@dataclass(frozen=True, slots=True)
class Decision:
    """One eval in the plan."""

    eval: str
    selected: bool
    included: bool
    action: Action
    state: RequestState | None
    reason: str
    blocked_by: tuple[str, ...] = ()


def plan(
    graph: Graph,
    chosen: Chosen,
    known: Mapping[str, Known],
    *,
    force: bool = False,
    ignore_gates: bool = False,
) -> tuple[Decision, ...]:
    """Decide for every eval of the required closure, in configuration order."""
    planner = _Planner(graph, chosen, known, force=force, ignore_gates=ignore_gates)
    return tuple(
        planner.decide(eval_id) for name in chosen.closure for eval_id in graph.project.artifacts[name].evals
    )


class _Planner:
    def __init__(
        self, graph: Graph, chosen: Chosen, known: Mapping[str, Known], *, force: bool, ignore_gates: bool
    ) -> None:
        self.graph = graph
        self.project = graph.project
        self.known = known
        self.selected: AbstractSet[str] = frozenset(chosen.selected)
        self.included: AbstractSet[str] = frozenset(chosen.included)
        self.forced: AbstractSet[str] = self.selected if force else frozenset()
        self.ungated = ignore_gates or graph.project.gates is Gates.IGNORE
        reusable = {eval_id: self._reusable(eval_id) for eval_id in self.project.evals}
        self.evidence = with_derived(self.project, reusable)
        self._standings: dict[str, Standing] = {}

    def decide(self, eval_id: str) -> Decision:
        derived = self.project.evals[eval_id].is_derived
        action, state, reason, blocked_by = self._derived(eval_id) if derived else self._executable(eval_id)
        included = eval_id in self.included
        if not included and action in {Action.EXECUTE, Action.WAIT, Action.BLOCKED} and not derived:
            action, reason = Action.NONE, f"{reason}; not selected (--recursive runs it)"
        return Decision(eval_id, eval_id in self.selected, included, action, state, reason, blocked_by)

    def _reusable(self, eval_id: str) -> RequestState | None:
        return None if eval_id in self.forced else self.known.get(eval_id, Known()).verdict

    def _derived(self, eval_id: str) -> tuple[Action, RequestState | None, str, tuple[str, ...]]:
        state, blockers = derive(self.project, eval_id, self.evidence)
        if state is RequestState.GREEN:
            return Action.REUSE, state, "derived: everything it depends on is GREEN", ()
        action = Action.BLOCKED if state is RequestState.BLOCKED else Action.WAIT
        return action, state, f"depends on {', '.join(blockers)}", blockers

    def _executable(self, eval_id: str) -> tuple[Action, RequestState | None, str, tuple[str, ...]]:
        known = self.known.get(eval_id, Known())
        if known.verdict is not None and eval_id not in self.forced:
            return Action.REUSE, known.verdict, f"unchanged since Run {known.run_id}", ()
        why = self._why(eval_id, known)
        names = () if self.ungated else self.graph.gated_by(eval_id)
        found = gate(names, {name: self._stands(name) for name in names})
        if found.blocked_by:
            reason = f"{why}; behind RED {', '.join(found.blocked_by)}"
            return Action.BLOCKED, RequestState.BLOCKED, reason, found.blocked_by
        if found.waiting_for:
            reason = f"{why}; waits for {', '.join(found.waiting_for)}"
            return Action.WAIT, RequestState.WAIT_DEPENDENCY, reason, found.waiting_for
        if known.executing is not None:
            return Action.WAIT, RequestState.RUNNING, f"Run {known.executing} is executing it", ()
        if self.project.evals[eval_id].kind is Kind.HUMAN:
            return Action.WAIT, RequestState.WAITING_HUMAN, f"{why}; a person has to sign it off", ()
        return Action.EXECUTE, None, why, ()

    def _why(self, eval_id: str, known: Known) -> str:
        if eval_id in self.forced:
            return "forced"
        if known.unkeyed is not None:
            return f"{known.unkeyed} has fingerprint = false, so that nothing is reused"
        if known.refused is not None:
            return known.refused
        if known.changes is not None:
            return f"{known.changes.summary} (since Run {known.changes.since_run})"
        return "never reviewed"

    def _stands(self, name: str) -> Standing:
        if name not in self._standings:
            self._standings[name] = standing(self.project, name, self.evidence)
        return self._standings[name]
