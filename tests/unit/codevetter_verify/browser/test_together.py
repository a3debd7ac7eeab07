"""Routes take turns at loading, and watch on until all have settled."""

from __future__ import annotations

import anyio
import pytest

from codevetter_verify.browser import together
from codevetter_verify.browser.together import Together

pytestmark = pytest.mark.anyio


async def test_a_turn_that_is_given_up_lets_the_next_load() -> None:
    shared = Together(routes=2, at_once=1)
    with anyio.fail_after(30):
        async with shared.turn() as first:
            first.give_up()
            async with shared.turn():
                pass
        async with shared.turn():  # giving up and ending returned it once
            pass


async def test_a_settled_route_waits_for_the_others() -> None:
    shared = Together(routes=2, at_once=2)
    order: list[str] = []

    async def first() -> None:
        shared.settled()
        await shared.others()
        order.append("first goes on")

    with anyio.fail_after(30):
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(first)
            await anyio.wait_all_tasks_blocked()
            order.append("second settles")
            shared.settled()
    assert order == ["second settles", "first goes on"]


async def test_nobody_waits_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(together, "COMPANY_S", 0.0)
    shared = Together(routes=2, at_once=2)
    shared.settled()
    with anyio.fail_after(30):
        await shared.others()
