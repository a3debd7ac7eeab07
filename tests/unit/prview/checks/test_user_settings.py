"""What a user set for all projects decides what a compiler says: a kept look is not for another user."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import pytest

from prview.checks.go.golang import go_settings
from prview.checks.rust.compiling import CargoCheck

if TYPE_CHECKING:
    from pathlib import Path

    from prview.checks.jobs import Job

pytestmark = pytest.mark.anyio


class _Job:
    def __init__(self, tree: Path) -> None:
        self.tree = tree


def write(place: Path, text: str) -> None:
    place.parent.mkdir(parents=True)
    place.write_text(text)


@pytest.mark.parametrize(
    "path",
    ["home/.cargo/config.toml", "home/.cargo/config", "home/.rustfmt.toml", "scratch/.cargo/config.toml"],
)
async def test_settings_of_cargo_outside_of_the_tree_are_part_of_the_key(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.delenv("CARGO_HOME", raising=False)
    job = cast("Job", _Job(tmp_path / "scratch/head"))
    before = await CargoCheck().outside(job)
    write(tmp_path / path, '[build]\nrustflags = ["--cap-lints=allow"]\n')
    assert await CargoCheck().outside(job) != before


def test_settings_of_go_are_part_of_the_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    before = go_settings()
    write(tmp_path / ".config/go/env", "GOFLAGS=-vet=off\n")
    assert go_settings() != before
