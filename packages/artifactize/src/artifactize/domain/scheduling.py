"""Which evals of a Run may start now, and what follows from each that ends."""

from __future__ import annotations

from dataclasses import dataclass
from heapq import heappop, heappush
from typing import TYPE_CHECKING

from artifactize.domain.declarations import Gates
from artifactize.domain.standing import derivation_order, derive, gate, standing
from artifactize.domain.states import PENDING, RequestState

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from artifactize.domain.graph import Graph
    from artifactize.domain.standing import Standing


@dataclass(frozen=True, slots=True)
class Change:
    """A state that follows from others: a gate that closed or opened, a dependency eval derived anew."""

    eval: str
    state: RequestState
    blocked_by: tuple[str, ...]


class Schedule:
    """The evals of one Run with their states.

    `order` are the evals of the Run in selection order; `known` are the states of all evals that have one,
    also of those outside the Run. Only what an ended eval can affect is looked at again, so that a Run of
    10,000 evals stays linear.
    """

    def __init__(
        self,
        graph: Graph,
        order: Sequence[str],
        known: Mapping[str, RequestState | None],
        *,
        ignore_gates: bool = False,
    ) -> None:
        self._project = graph.project
        self._ungated = ignore_gates or graph.project.gates is Gates.IGNORE
        self._position = {eval_id: index for index, eval_id in enumerate(order)}
        self._gates = {eval_id: self._gate_names(graph, eval_id) for eval_id in order}
        self._watchers: dict[str, list[str]] = {}
        for eval_id in order:
            for name in self._gates[eval_id]:
                self._watchers.setdefault(name, []).append(eval_id)
        self._standings: dict[str, Standing] = {}
        self._ready: list[tuple[int, str]] = []
        self.states: dict[str, RequestState | None] = dict(known)
        self.blocked_by: dict[str, tuple[str, ...]] = {}

    def begin(self) -> list[Change]:
        """Derive everything once; call it first."""
        derived = set(derivation_order(self._project))
        first = [eval_id for eval_id in derivation_order(self._project) if eval_id in self._position]
        rest = [eval_id for eval_id in self._position if eval_id not in derived]
        return self._settle_all([*first, *rest])

    def settle(self, eval_id: str, state: RequestState) -> list[Change]:
        """Take over the state of an eval that ended, and return what follows from it."""
        self.states[eval_id] = state
        name = self._project.evals[eval_id].artifact
        self._standings.pop(name, None)
        return self._settle_all(self._watchers.get(name, ()))

    def take(self, limit: int | None) -> list[str]:
        """Return READY evals in selection order, at most `limit`, and count them as running."""
        taken: list[str] = []
        while self._ready and (limit is None or len(taken) < limit):
            _, eval_id = heappop(self._ready)
            if self.states[eval_id] is RequestState.QUEUED:
                self.states[eval_id] = RequestState.RUNNING
                taken.append(eval_id)
        return taken

    def _gate_names(self, graph: Graph, eval_id: str) -> tuple[str, ...]:
        found = self._project.evals[eval_id]
        if found.is_derived:
            return found.depends_on
        return () if self._ungated else graph.gated_by(eval_id)

    def _settle_all(self, eval_ids: Iterable[str]) -> list[Change]:
        changes: list[Change] = []
        waiting = list(eval_ids)
        for eval_id in waiting:
            change = self._look(eval_id)
            if change is not None:
                changes.append(change)
                name = self._project.evals[eval_id].artifact
                self._standings.pop(name, None)
                waiting.extend(self._watchers.get(name, ()))
        return changes

    def _look(self, eval_id: str) -> Change | None:
        current = self.states.get(eval_id)
        # a blocked one stays blocked, but what blocks it may still change
        if current not in PENDING and current is not RequestState.BLOCKED:
            return None
        if self._project.evals[eval_id].is_derived:
            state, blockers = derive(self._project, eval_id, self.states)
        else:
            state, blockers = self._gated(eval_id)
        if state is RequestState.QUEUED:
            heappush(self._ready, (self._position[eval_id], eval_id))
        if state is current and blockers == self.blocked_by.get(eval_id, ()):
            return None
        self.states[eval_id] = state
        self.blocked_by[eval_id] = blockers
        return Change(eval_id, state, blockers)

    def _gated(self, eval_id: str) -> tuple[RequestState, tuple[str, ...]]:
        names = self._gates[eval_id]
        found = gate(names, {name: self._stands(name) for name in names})
        if found.blocked_by:
            return RequestState.BLOCKED, found.blocked_by
        if found.waiting_for:
            return RequestState.WAIT_DEPENDENCY, found.waiting_for
        return RequestState.QUEUED, ()

    def _stands(self, name: str) -> Standing:
        if name not in self._standings:
            self._standings[name] = standing(self._project, name, self.states)
        return self._standings[name]
