"""Whatever happens to one check becomes its result, and costs the others nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from prview.checks.base import (
    CheckContext,
    Profile,
    Sight,
    Skip,
    ToolOutputError,
    ToolTimeoutError,
    ToolUnavailableError,
)
from prview.checks.runner import run_checks
from prview.domain.change import Base, Change
from prview.domain.checks import Kind, State

if TYPE_CHECKING:
    from pathlib import Path

    from prview.domain.checks import CheckResult

pytestmark = pytest.mark.anyio
NO_TREES: Any = None


class Fake:
    """A check that does as it is told."""

    name = "Fake"
    kind = Kind.LINT

    def __init__(self, id: str, end: Sight | Skip | Exception) -> None:  # noqa: A002 - the protocol's name
        self.id = id
        self.end = end

    def applies(self, context: CheckContext) -> Skip | None:
        return self.end if isinstance(self.end, Skip) else None

    async def look(self, context: CheckContext) -> Sight:
        if isinstance(self.end, Exception):
            raise self.end
        assert isinstance(self.end, Sight)
        (context.scratch / "mine").touch(exist_ok=False)
        return self.end


async def ran(scratch: Path, *checks: Fake) -> tuple[tuple[CheckResult, ...], list[str]]:
    change = Change("t", "t", "h" * 40, (Base("main", "b" * 40),), "b" * 40, (), ())
    context = CheckContext(change, NO_TREES, frozenset(), (), scratch, Profile.QUICK, True, 60)
    said: list[str] = []

    async def step(_done: int, message: str) -> None:
        said.append(message)

    return await run_checks(checks, context, step=step), said


@pytest.mark.parametrize(
    ("problem", "state"),
    [
        (ToolUnavailableError("missing", log="l"), State.UNAVAILABLE),
        (ToolTimeoutError("late", log="l"), State.TIMEOUT),
        (ToolOutputError("words", log="l"), State.ERROR),
        (ZeroDivisionError("ours"), State.ERROR),
    ],
)
async def test_what_keeps_a_check_from_looking_is_its_result(
    tmp_path: Path, problem: Exception, state: State
) -> None:
    results, said = await ran(tmp_path, Fake("bad", problem), Fake("good", Sight(tool="t 1")))
    assert [(result.id, result.state) for result in results] == [("bad", state), ("good", State.EXECUTED)]
    assert results[0].log
    assert str(problem.args[0]) in str(results[0].reason)
    assert len(said) == 4  # that each began, and how it ended


async def test_results_keep_the_order_and_checks_their_own_folders(tmp_path: Path) -> None:
    skip = Skip("not here", neutral=False)
    results, _ = await ran(tmp_path, Fake("a", Sight()), Fake("b", skip), Fake("c", Sight()))
    assert [result.id for result in results] == ["a", "b", "c"]
    assert (results[1].state, results[1].reason, results[1].neutral) == (State.SKIPPED, "not here", False)
