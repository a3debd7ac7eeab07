"""A part of an id names a run; one that fits several names them."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, cast

import pytest

from mcpkit.errors import InvalidArgumentsError
from prview.errors import RunNotFoundError
from prview.service import naming
from prview.service.naming import whole_run_id

if TYPE_CHECKING:
    from prview.service.settings import Settings

pytestmark = pytest.mark.anyio

IDS = ("20261201-050136-4766c26", "20261201-060000-4766c26", "20261202-050136-5dbf99b")


@pytest.fixture(autouse=True)
def stored(monkeypatch: pytest.MonkeyPatch) -> None:
    """A repository with these runs, on two branches."""

    async def opened(_settings: object, _repo: str) -> Any:
        return SimpleNamespace(runs=SimpleNamespace(branches=lambda: (IDS[:2], IDS[2:])))

    monkeypatch.setattr(naming, "open_repo", opened)
    monkeypatch.setattr(naming, "list_runs", lambda branch: [SimpleNamespace(run_id=name) for name in branch])


async def named(part: str) -> str:
    return await whole_run_id(cast("Settings", None), "/r", part)


@pytest.mark.parametrize("part", ["5dbf99b", "20261202", IDS[2]])
async def test_a_part_that_fits_one_run_names_it(part: str) -> None:
    assert await named(part) == IDS[2]


async def test_a_part_that_fits_several_is_refused_with_them() -> None:
    with pytest.raises(InvalidArgumentsError, match=f"{IDS[1]}, {IDS[0]}$"):
        await named("4766c26")


@pytest.mark.parametrize("part", ["", "4766", "nothing"])
async def test_a_part_that_fits_none_is_not_found(part: str) -> None:
    with pytest.raises(RunNotFoundError):
        await named(part)
