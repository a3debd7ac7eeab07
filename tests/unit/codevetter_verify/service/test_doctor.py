"""The doctor tries what a run would do, and says what to do about what fails."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from codevetter_verify.errors import BrowserFailedError
from codevetter_verify.models import DoctorRequest
from codevetter_verify.service.doctor import examine
from codevetter_verify.store.store import Store

if TYPE_CHECKING:
    from pathlib import Path

    from codevetter_verify.models import Doctor

pytestmark = pytest.mark.anyio


async def examined(tmp_path: Path, try_driver: Any) -> Doctor:
    async def open_store() -> Store:
        return await Store.open(tmp_path / "home")

    return await examine(
        DoctorRequest(),
        find_browser=lambda _: tmp_path / "chromium",
        try_driver=try_driver,
        open_store=open_store,
    )


async def test_a_machine_that_has_everything_has_tried_the_driver_too(tmp_path: Path) -> None:
    tried: list[str] = []

    async def works() -> None:
        tried.append("driver")

    found = await examined(tmp_path, works)
    assert (found.ok, found.problems, tried) == (True, (), ["driver"])


async def test_a_driver_that_does_not_start_is_a_problem_with_its_next_step(tmp_path: Path) -> None:
    async def fails() -> None:
        raise BrowserFailedError("Playwright's driver did not start: it ended at once")

    found = await examined(tmp_path, fails)
    assert not found.ok
    (problem,) = found.problems
    assert "did not start: it ended at once" in problem
    assert "apt install libatomic1" in problem
