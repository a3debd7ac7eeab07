"""What is told of routes while they are visited."""

from __future__ import annotations

import pytest

from codevetter_verify.service.telling import RoutesTold
from mcpkit.progress import listening
from support.trex import observation

pytestmark = pytest.mark.anyio


async def test_a_route_is_told_of_when_it_was_looked_at_and_again_only_if_that_changes() -> None:
    heard: list[tuple[float, str]] = []

    async def hear(done: float, _total: float | None, message: str) -> None:
        heard.append((done, message))

    told = RoutesTold(None, stage=2, stages=4)
    told.planned(["/", "/about"])
    with listening(hear):
        await told.seen(observation("/"), "passed")
        await told.seen(observation("/about"), "passed")
        await told.seen(observation("/"), "passed")
        await told.seen(observation("/about"), "failed")
    assert [message for _, message in heard] == [
        "visited /: passed (1 of 2)",
        "visited /about: passed (2 of 2)",
        "/about failed after all",
    ]
    values = [done for done, _ in heard]
    assert values == sorted(set(values)), "progress goes forward"
    assert 2 < values[0] <= values[-1] < 3, "and stays within its stage"
