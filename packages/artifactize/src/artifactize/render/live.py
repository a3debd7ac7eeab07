"""A Run as a few lines that are drawn again and again: counts, elapsed time, what runs, what failed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from artifactize.models.states import RequestState
from artifactize.models.verification import EvalResult, RunStatus
from mcpkit.text import escape_untrusted

if TYPE_CHECKING:
    from artifactize.models.verification import WatchEvent

_FAILED = frozenset({RequestState.RED, RequestState.ERROR})
_WAITING = frozenset(
    {RequestState.QUEUED, RequestState.RUNNING, RequestState.WAIT_DEPENDENCY, RequestState.WAITING_HUMAN}
)
_SHOWN_FAILURES = 8
_STATE_WIDTH = 15
_MINUTE_S = 60


class LiveView:
    """What one observer has been told of a Run; moments are seconds of one clock that never goes back."""

    def __init__(self, began: float) -> None:
        self._began = began
        self._status: RunStatus | None = None
        self._since: dict[str, float] = {}
        self._failures: dict[str, EvalResult] = {}

    def take(self, event: WatchEvent, moment: float) -> None:
        """Take in what happened."""
        if isinstance(event.data, RunStatus):
            self._status = event.data
            self._since = {name: self._since.get(name, moment) for name in event.data.running}
        elif isinstance(event.data, EvalResult) and event.data.state in _FAILED:
            self._failures[event.data.eval] = event.data

    def lines(self, moment: float, width: int) -> list[str]:
        """Return what to draw now, no line wider than `width` columns."""
        if self._status is None:
            return []
        lines = [self._head(self._status, moment)]
        lines += [f"  {each.state:<{_STATE_WIDTH}} {each.count}" for each in self._status.counts]
        lines += [f"  running {_clock(moment - began):>6}  {name}" for name, began in self._since.items()]
        hidden = self._running_count(self._status) - len(self._since)
        lines += [f"  and {hidden} more are running"] if hidden > 0 else []
        newest = list(self._failures.values())[-_SHOWN_FAILURES:]
        lines += [f"  {each.state:<{_STATE_WIDTH}} {each.eval}  {each.summary}" for each in newest]
        return [_cut(escape_untrusted(line), width) for line in lines]

    def _head(self, status: RunStatus, moment: float) -> str:
        open_ones = sum(each.count for each in status.counts if each.state in _WAITING)
        done = f"{status.total - open_ones} of {status.total} evals"
        return f"{done}, {_clock(moment - self._began)} · Run {status.run_id}"

    @staticmethod
    def _running_count(status: RunStatus) -> int:
        return sum(each.count for each in status.counts if each.state is RequestState.RUNNING)


def _clock(seconds: float) -> str:
    minutes, rest = divmod(int(seconds), _MINUTE_S)
    return f"{minutes}:{rest:02}"


def _cut(line: str, width: int) -> str:
    return line if len(line) <= width else line[: max(width - 1, 0)] + "…"
