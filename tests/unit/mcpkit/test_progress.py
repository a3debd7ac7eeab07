from __future__ import annotations

import anyio
import pytest

from mcpkit import progress

pytestmark = pytest.mark.anyio
Heard = list[tuple[float, float | None, str]]


def listener(heard: Heard) -> progress.Listener:
    async def hear(done: float, total: float | None, message: str) -> None:
        heard.append((done, total, message))

    return hear


async def test_a_report_without_a_listener_does_nothing() -> None:
    assert await progress.report(1) is None  # type: ignore[func-returns-value] # that it returns is the point


async def test_reports_of_the_block_and_its_tasks_reach_the_listener_and_later_ones_do_not() -> None:
    heard: Heard = []
    with progress.listening(listener(heard)):
        await progress.report(1, 3, "one")
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(progress.report, 2)
    await progress.report(3)
    assert heard == [(1, 3, "one"), (2, None, "")]


async def test_an_inner_listener_hears_instead_of_the_outer_one() -> None:
    outer: Heard = []
    inner: Heard = []
    with progress.listening(listener(outer)):
        with progress.listening(listener(inner)):
            await progress.report(1)
        await progress.report(2)
    assert (inner, outer) == ([(1, None, "")], [(2, None, "")])


async def test_two_calls_at_once_do_not_hear_each_other() -> None:
    heard: list[Heard] = [[], []]

    async def call(number: int) -> None:
        with progress.listening(listener(heard[number])):
            await anyio.lowlevel.checkpoint()
            await progress.report(number)

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(call, 0)
        tasks.start_soon(call, 1)
    assert heard == [[(0, None, "")], [(1, None, "")]]
