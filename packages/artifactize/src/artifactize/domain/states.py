"""Which states may follow which."""

from __future__ import annotations

from artifactize.models.states import Outcome, RequestState, RunState, Source

__all__ = ["OPEN", "PENDING", "VERDICTS", "Outcome", "RequestState", "RunState", "Source", "may_follow"]

VERDICTS = frozenset({RequestState.GREEN, RequestState.RED})
"""What a reuse record can hold."""

PENDING = frozenset({RequestState.QUEUED, RequestState.WAIT_DEPENDENCY})
"""Not started, may still start."""

OPEN = PENDING | {RequestState.RUNNING, RequestState.WAITING_HUMAN}
"""May still change while the Run goes on."""

_S = RequestState
_ENDS = frozenset({_S.GREEN, _S.RED, _S.ERROR, _S.CANCELLED, _S.STALE, _S.BUDGET_EXHAUSTED, _S.DEFERRED})

_NEXT: dict[RequestState, frozenset[RequestState]] = {
    _S.QUEUED: _ENDS | {_S.RUNNING, _S.WAIT_DEPENDENCY, _S.BLOCKED, _S.WAITING_HUMAN},
    _S.WAIT_DEPENDENCY: _ENDS | {_S.QUEUED, _S.RUNNING, _S.BLOCKED, _S.WAITING_HUMAN},
    # back to QUEUED: its worker died, so that it was interrupted and is started again
    # also to where it waits: it started ahead of a gate, or in another Run, and is not executed after all
    _S.RUNNING: _ENDS | {_S.PROVISIONAL, _S.QUEUED, _S.WAIT_DEPENDENCY, _S.BLOCKED},
    _S.WAITING_HUMAN: frozenset({_S.GREEN, _S.RED, _S.ERROR, _S.CANCELLED, _S.STALE, _S.DEFERRED}),
    _S.PROVISIONAL: frozenset({_S.GREEN, _S.RED, _S.ERROR, _S.CANCELLED, _S.STALE}),
    _S.BLOCKED: frozenset({_S.CANCELLED}),
    # final validation: what it answered for has changed since
    _S.GREEN: frozenset({_S.STALE}),
    _S.RED: frozenset({_S.STALE}),
    _S.ERROR: frozenset(),
    _S.CANCELLED: frozenset(),
    _S.STALE: frozenset(),
    _S.BUDGET_EXHAUSTED: frozenset(),
    _S.DEFERRED: frozenset(),
}


def may_follow(current: RequestState, new: RequestState) -> bool:
    """Whether a request may go from one state to another; staying is always allowed."""
    return current is new or new in _NEXT[current]
