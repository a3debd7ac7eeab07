"""What analyzers share is computed once."""

from __future__ import annotations

from typing import TYPE_CHECKING

import anyio
import pytest

from prview.signals.per_run import PerRun
from support.signal_context import context

if TYPE_CHECKING:
    from pathlib import Path

    from prview.signals.base import SignalContext

pytestmark = pytest.mark.anyio


async def test_analyzers_side_by_side_share_one_answer(tmp_path: Path) -> None:
    asked: list[SignalContext] = []
    started, go_on = anyio.Event(), anyio.Event()

    async def compute(given: SignalContext) -> int:
        asked.append(given)
        started.set()
        await go_on.wait()
        return len(asked)

    shared = PerRun(compute)
    given = context(tmp_path, {}, {})
    answers: list[int] = []

    async def ask() -> None:
        answers.append(await shared(given))

    with anyio.fail_after(5):
        async with anyio.create_task_group() as group:
            group.start_soon(ask)
            group.start_soon(ask)
            await started.wait()
            go_on.set()
    assert (answers, len(asked)) == ([1, 1], 1)


async def test_another_run_gets_its_own_answer(tmp_path: Path) -> None:
    async def compute(given: SignalContext) -> str:
        return given.change.target

    shared = PerRun(compute)
    runs = [context(tmp_path / name, {}, {}, subjects=()) for name in ("one", "two")]
    assert [await shared(given) for given in runs] == ["topic", "topic"]
    assert len(shared._answers) == 2


async def test_a_failure_is_not_remembered(tmp_path: Path) -> None:
    calls: list[int] = []

    async def compute(given: SignalContext) -> int:
        calls.append(1)
        if len(calls) == 1:
            raise OSError("once")
        return 7

    shared = PerRun(compute)
    given = context(tmp_path, {}, {})
    with pytest.raises(OSError, match="once"):
        await shared(given)
    assert await shared(given) == 7
