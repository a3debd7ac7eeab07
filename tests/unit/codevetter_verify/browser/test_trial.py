"""Whether Playwright's driver runs is found out by running it; no browser is needed for that."""

from __future__ import annotations

import os
import stat
import tempfile
from typing import TYPE_CHECKING

import pytest

from codevetter_verify.browser.trial import try_driver
from codevetter_verify.errors import BrowserFailedError

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.anyio


@pytest.fixture(autouse=True)
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A temporary folder of our own, in which nothing may stay."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


async def test_a_driver_that_runs_is_started_and_ended(temporary: Path) -> None:
    await try_driver()
    assert os.listdir(temporary) == []  # noqa: PTH208 - pathlib's way counts as blocking, this does not


async def test_a_driver_that_ends_at_once_is_told_apart_from_a_defect(
    temporary: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As Node.js does where a library that it needs is missing."""
    monkeypatch.setenv("PLAYWRIGHT_NODEJS_PATH", "/bin/false")
    with pytest.raises(BrowserFailedError, match="driver did not start"):
        await try_driver()
    assert os.listdir(temporary) == []  # noqa: PTH208 - pathlib's way counts as blocking, this does not


async def test_a_driver_that_cannot_be_started_is_named(
    monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """As on a system that Playwright's Node.js was not built for."""
    foreign = tmp_path_factory.mktemp("foreign") / "node"
    foreign.write_bytes(b"\x7fELF, but not for here")
    foreign.chmod(foreign.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("PLAYWRIGHT_NODEJS_PATH", str(foreign))
    with pytest.raises(BrowserFailedError, match="foreign"):
        await try_driver()
