"""Which evals of a Run may start now, and what follows from each that ends."""

from __future__ import annotations

from dataclasses import dataclass
from heapq import heappop, heappush
from typing import TYPE_CHECKING

from artifactize.domain.declarations import Gates, Kind
from artifactize.domain.modes import RunModes
from artifactize.domain.standing import derivation_order, derive, gate, standing
from artifactize.domain.states import OPEN, PENDING, RequestState

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


_AHEAD = OPEN | {RequestState.GREEN, RequestState.PROVISIONAL}
_DEFERRED = frozenset({RequestState.GREEN, RequestState.PROVISIONAL, RequestState.DEFERRED})


class Schedule:
    """The evals of one Run with their states.

    `order` are the evals of the Run in selection order; `known` are the states of all evals that have one,
    also of those outside the Run. Only what an ended eval can affect is looked at again, so that a Run of
    10,000 evals stays linear.

    With `modes.speculate` an eval may start ahead of its gates while everything behind them can still become
    GREEN, with `modes.defer_human` while only sign-offs are missing. It is PROVISIONAL until its gates are
    open, and is named by `withdrawn` when they close.
    """

    def __init__(
        self,
        graph: Graph,
        order: Sequence[str],
        known: Mapping[str, RequestState | None],
        *,
        ignore_gates: bool = False,
        modes: RunModes | None = None,
    ) -> None:
        self._project = graph.project
        self._modes = modes or RunModes()
        self._ahead: set[str] = set()
        self._withdrawn: list[str] = []
        self._ungated = ignore_gates or graph.project.gates is Gates.IGNORE
        self._position = {eval_id: index for index, eval_id in enumerate(order)}
        self._gates = {eval_id: self._gate_names(graph, eval_id) for eval_id in order}
        self._watchers: dict[str, list[str]] = {}
        for eval_id in order:
            for name in self._gates[eval_id]:
                self._watchers.setdefault(name, []).append(eval_id)
        self._standings: dict[str, Standing] = {}
        self._ready: list[tuple[bool, int, str]] = []
        self.states: dict[str, RequestState | None] = dict(known)
        self.blocked_by: dict[str, tuple[str, ...]] = {}

    def begin(self) -> list[Change]:
        """Derive everything once; call it first."""
        derived = set(derivation_order(self._project))
        first = [eval_id for eval_id in derivation_order(self._project) if eval_id in self._position]
        rest = [eval_id for eval_id in self._position if eval_id not in derived]
        return self._settle_all([*first, *rest])

    def settle(self, eval_id: str, state: RequestState) -> list[Change]:
        """Take over the state of an eval that ended, and return what follows from it.

        GREEN ahead of its gates is PROVISIONAL for now: `states` has what it counts as.
        """
        ahead = eval_id in self._ahead and state is RequestState.GREEN
        self.states[eval_id] = RequestState.PROVISIONAL if ahead else state
        name = self._project.evals[eval_id].artifact
        self._standings.pop(name, None)
        return self._settle_all([*([eval_id] if ahead else ()), *self._watchers.get(name, ())])

    def has_ready(self) -> bool:
        """Whether `take` may have something to give."""
        return bool(self._ready)

    def put_back(self, eval_id: str) -> list[Change]:
        """Let an eval that was taken wait again, and return what follows: it may be ready, or held up."""
        self.states[eval_id] = RequestState.WAIT_DEPENDENCY if eval_id in self._ahead else RequestState.QUEUED
        self._ahead.discard(eval_id)
        self.blocked_by.pop(eval_id, None)
        return self._settle_all([eval_id])

    def take(self, limit: int | None) -> list[str]:
        """Return READY evals in selection order, at most `limit`, and count them as running.

        Those that start ahead of their gates come after all others.
        """
        taken: list[str] = []
        while self._ready and (limit is None or len(taken) < limit):
            ahead, _, eval_id = heappop(self._ready)
            if ahead and not (self.states[eval_id] in PENDING and self._may_start_ahead(eval_id)):
                continue
            if ahead or self.states[eval_id] is RequestState.QUEUED:
                if ahead and self.states[eval_id] is not RequestState.QUEUED:
                    self._ahead.add(eval_id)
                self.states[eval_id] = RequestState.RUNNING
                taken.append(eval_id)
        return taken

    def withdrawn(self) -> list[str]:
        """Return, once, the running evals that started ahead of a gate which has closed since."""
        found, self._withdrawn = self._withdrawn, []
        return found

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
        if eval_id in self._ahead:
            return self._look_ahead(eval_id)
        # a blocked one stays blocked, but what blocks it may still change
        if current not in PENDING and current is not RequestState.BLOCKED:
            return None
        if self._project.evals[eval_id].is_derived:
            state, blockers = derive(self._project, eval_id, self.states)
        else:
            state, blockers = self._gated(eval_id)
            if state in PENDING and (state is RequestState.QUEUED or self._may_start_ahead(eval_id)):
                ahead = state is not RequestState.QUEUED
                heappush(self._ready, (ahead, self._position[eval_id], eval_id))
        if state is current and blockers == self.blocked_by.get(eval_id, ()):
            return None
        self.states[eval_id] = state
        self.blocked_by[eval_id] = blockers
        return Change(eval_id, state, blockers)

    def _look_ahead(self, eval_id: str) -> Change | None:
        """Look again at an eval that started before its gates were open."""
        state, blockers = self._gated(eval_id)
        provisional = self.states[eval_id] is RequestState.PROVISIONAL
        if state is RequestState.QUEUED:
            self._ahead.discard(eval_id)
            if not provisional:
                return None
            self.states[eval_id] = RequestState.GREEN
            return Change(eval_id, RequestState.GREEN, ())
        if not provisional:
            if not self._may_start_ahead(eval_id):
                self._withdrawn.append(eval_id)
            return None
        if blockers == self.blocked_by.get(eval_id):
            return None
        self.blocked_by[eval_id] = blockers
        return Change(eval_id, RequestState.PROVISIONAL, blockers)

    def _may_start_ahead(self, eval_id: str) -> bool:
        """Whether everything behind an eval's gates can still become GREEN without another Run.

        A person is never asked ahead: what they sign off shall be what was judged.
        """
        if self._project.evals[eval_id].kind is Kind.HUMAN:
            return False
        allowed = (_AHEAD if self._modes.speculate else frozenset()) | (
            _DEFERRED if self._modes.defer_human else frozenset()
        )
        return bool(allowed) and all(
            self.states.get(each) in allowed
            for name in self._gates[eval_id]
            for each in self._project.artifacts[name].evals
        )

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
