from __future__ import annotations

from typing import TYPE_CHECKING

import anyio
import pytest

from artifactize.service.batching import Batches

if TYPE_CHECKING:
    from collections.abc import Sequence

pytestmark = pytest.mark.anyio


async def test_what_comes_while_a_batch_is_done_is_done_together_in_the_next() -> None:
    batches: list[list[int]] = []
    release = anyio.Event()

    async def work(items: list[int]) -> Sequence[int]:
        batches.append(items)
        await release.wait()
        return [item * 10 for item in items]

    results: dict[int, int] = {}
    doing = Batches(work)

    async def ask(item: int) -> None:
        results[item] = await doing.do(item)

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(doing.run)
        async with anyio.create_task_group() as asking:
            asking.start_soon(ask, 1)
            await anyio.wait_all_tasks_blocked()
            for item in (2, 3, 4):
                asking.start_soon(ask, item)
            await anyio.wait_all_tasks_blocked()
            release.set()
        tasks.cancel_scope.cancel()

    assert batches == [[1], [2, 3, 4]]
    assert results == {1: 10, 2: 20, 3: 30, 4: 40}


async def test_a_failure_reaches_everybody_whose_item_was_in_the_batch_and_nobody_else() -> None:
    async def work(items: list[int]) -> Sequence[int]:
        if 2 in items:
            raise ZeroDivisionError
        return items

    doing = Batches(work)
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(doing.run)
        with pytest.raises(ZeroDivisionError):
            await doing.do(2)
        assert await doing.do(3) == 3
        tasks.cancel_scope.cancel()
