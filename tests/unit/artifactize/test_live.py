from __future__ import annotations

from typing import Any

from artifactize.models.states import RequestState, RunState
from artifactize.models.verification import EvalResult, RunStatus, StateCount, WatchEvent
from artifactize.render.live import LiveView


def update(running: tuple[str, ...], **counts: int) -> WatchEvent:
    status = RunStatus(
        run_id="r1", state=RunState.RUNNING, outcome=None, exit_code=None, total=sum(counts.values()),
        counts=tuple(StateCount(state=RequestState(name), count=count) for name, count in counts.items()),
        running=running, message=None, next_check=None,
    )  # fmt: skip
    return WatchEvent(kind="update", data=status)


def ended(eval_id: str, state: str, summary: str = "") -> WatchEvent:
    facts: dict[str, Any] = dict.fromkeys(("source", "source_run", "exit_code", "code", "duration_ms"))
    result = EvalResult(
        run_id="r1", request_id="q", eval=eval_id, state=RequestState(state), summary=summary, **facts
    )
    return WatchEvent(kind="eval_result", data=result)


def test_counts_elapsed_time_and_what_runs_are_shown() -> None:
    view = LiveView(10.0)
    view.take(update(("a/x", "b/y"), GREEN=3, RUNNING=4, QUEUED=2), 12.0)
    view.take(update(("b/y",), GREEN=4, RUNNING=1, QUEUED=4), 70.0)

    assert view.lines(75.0, 80) == [
        "4 of 9 evals, 1:05 · Run r1",
        "  GREEN           4",
        "  RUNNING         1",
        "  QUEUED          4",
        "  running   1:03  b/y",
    ]


def test_more_running_evals_than_are_named_are_counted() -> None:
    view = LiveView(0.0)
    view.take(update(("a/x",), RUNNING=7), 0.0)

    assert view.lines(0.0, 80)[-1] == "  and 6 more are running"


def test_failures_stay_in_sight_and_nothing_is_wider_than_the_terminal() -> None:
    view = LiveView(0.0)
    view.take(update((), GREEN=1, RED=1), 0.0)
    view.take(ended("a/x", "GREEN"), 0.0)
    view.take(ended("b/y", "RED", "broken \x1b[31m" + "very " * 40), 0.0)

    *_, last = view.lines(1.0, 60)

    assert last.startswith("  RED             b/y  broken ")
    assert "\x1b" not in last
    assert (len(last), last[-1]) == (60, "…")


def test_before_anything_is_known_nothing_is_drawn() -> None:
    assert LiveView(0.0).lines(1.0, 80) == []
