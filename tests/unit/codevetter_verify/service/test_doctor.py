"""The doctor tries what a run would do, and says what to do about what fails."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from codevetter_verify import wiring
from codevetter_verify.browser.endpoint import configured_endpoint
from codevetter_verify.errors import BrowserFailedError, BrowserMissingError
from codevetter_verify.models import DoctorRequest
from codevetter_verify.render.doctor import render_doctor
from codevetter_verify.service.doctor import examine
from codevetter_verify.store.store import Store

if TYPE_CHECKING:
    from pathlib import Path

    from codevetter_verify.models import Doctor

pytestmark = pytest.mark.anyio


async def works() -> None:
    """Stand in for a driver that starts."""


async def examined(
    tmp_path: Path, try_driver: Any = works, *, find_browser: Any = None, find_endpoint: Any = lambda: None
) -> Doctor:
    async def open_store() -> Store:
        return await Store.open(tmp_path / "home")

    return await examine(
        DoctorRequest(),
        find_browser=find_browser or (lambda _: tmp_path / "chromium"),
        find_endpoint=find_endpoint,
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


async def test_a_browser_elsewhere_is_named_by_its_host_and_makes_up_for_one_here(tmp_path: Path) -> None:
    def missing(_: str | None) -> Path:
        raise BrowserMissingError("no Chromium was found")

    found = await examined(tmp_path, find_browser=missing, find_endpoint=lambda: "grid.example.com")
    assert (found.ok, found.endpoint, found.browser) == (True, "grid.example.com", None)
    alone = await examined(tmp_path, find_browser=missing)
    assert (alone.ok, alone.problems) == (False, ("no Chromium was found",))


async def test_an_endpoint_that_is_none_is_a_problem_without_its_token(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CODEVETTER_BROWSER_ENDPOINT", "grid?token=s3cret")
    found = await examined(tmp_path, find_endpoint=configured_endpoint)
    assert not found.ok
    assert "CODEVETTER_BROWSER_ENDPOINT" in found.problems[0]
    assert "s3cret" not in found.model_dump_json()


async def test_the_doctor_shows_no_more_of_an_endpoint_than_its_host(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CODEVETTER_BROWSER_ENDPOINT", "wss://grid.example.com/chromium?token=s3cret")
    monkeypatch.setenv("CODEVETTER_HOME", str(tmp_path / "home"))
    monkeypatch.setattr(wiring, "_try_driver", works)
    shown = render_doctor(await wiring.examine(DoctorRequest()))
    assert "grid.example.com" in shown
    assert "s3cret" not in shown
