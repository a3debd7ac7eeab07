"""A signal's end in the words of a check, so that gate, policy, SARIF and terminal know one kind of thing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from prview.domain.checks import CheckResult, Kind, State
from prview.domain.signals import SignalState

if TYPE_CHECKING:
    from prview.domain.change import Change
    from prview.domain.signals import SignalResult


def as_check(result: SignalResult, change: Change) -> CheckResult:
    """The same facts. A signal examines no file for the ledger: it reads the change as a whole."""
    signal = result.signal
    failed = result.state is SignalState.ERROR
    return CheckResult(
        id=result.id,
        name=result.title,
        kind=Kind.SIGNAL,
        state=State.ERROR if failed else State.EXECUTED,
        reason=result.reason,
        judged=signal.judged(change) if signal else (),
        duration_s=result.duration_s,
        log=result.log,
        unseen="; ".join(signal.limits) or None if signal else None,
        escalates=signal is not None and signal.escalates,
    )
