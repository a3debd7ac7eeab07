"""All signals together: their names are their own, and one that fails stays alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from prview.domain.signal_results import as_check
from prview.domain.signals import SignalState
from prview.signals.registry import SIGNALS
from prview.signals.runner import run_signals
from prview.signals.todo import Todo
from support.signal_context import context

if TYPE_CHECKING:
    from pathlib import Path

    from prview.domain.signals import Signal
    from prview.signals.base import SignalContext

pytestmark = pytest.mark.anyio


class Broken:
    kind = "broken"
    title = "Broken"

    async def analyze(self, given: SignalContext) -> Signal | None:
        raise ZeroDivisionError(given.change.target)


def test_every_signal_has_a_name_of_its_own() -> None:
    kinds = [signal.kind for signal in SIGNALS]
    assert len(set(kinds)) == len(kinds) == 16
    assert all(
        kind.replace("_", "").isalnum() and signal.title for kind, signal in zip(kinds, SIGNALS, strict=True)
    )


async def test_a_signal_that_crashes_is_an_error_and_the_others_speak(tmp_path: Path) -> None:
    given = context(tmp_path, {}, {"a.py": "# TODO: x\n"})
    broken, todo = await run_signals((Broken(), Todo()), given)
    assert (broken.state, broken.reason) == (SignalState.ERROR, "ZeroDivisionError: topic")
    assert todo.state is SignalState.SPOKE
    row = as_check(broken, given.change)
    assert (row.id, row.status, row.confidence.value) == ("signal_broken", "ERROR", "lowered")
    assert "ZeroDivisionError" in row.log


async def test_every_signal_is_silent_about_a_change_of_nothing(tmp_path: Path) -> None:
    tree = {"a.py": "import os\n\nos.system(x)  # TODO\n", "package.json": "{}"}
    results = await run_signals(
        [signal for signal in SIGNALS if signal.kind not in {"hotspots", "owners"}],
        context(tmp_path, tree, tree),
    )
    assert {result.kind: result.reason for result in results if result.state is not SignalState.SILENT} == {}
