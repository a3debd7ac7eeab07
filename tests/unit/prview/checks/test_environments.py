"""Programs and environments as the project means them, never installed by us."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from prview.checks.base import CheckContext, Profile, ToolUnavailableError
from prview.checks.environments import locate
from prview.checks.python_environment import python_environment
from prview.checks.tools import find_tool
from prview.domain.change import Change

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.anyio
NO_TREES: Any = None


def program(path: Path, script: str = "true") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    return path


def context(*checkouts: Path, paths: tuple[str, ...] = ()) -> CheckContext:
    change = Change("t", "t", "h" * 40, (), "b" * 40, (), ())
    return CheckContext(change, NO_TREES, frozenset(paths), checkouts, checkouts[0], Profile.QUICK, True, 60)


async def test_the_nearest_program_of_the_project_wins(tmp_path: Path) -> None:
    """A part of a monorepo may have its own, else it uses the one above it."""
    root = program(tmp_path / ".venv/bin/x")
    inner = program(tmp_path / "a/node_modules/.bin/x")
    found = {folder: find_tool("x", (tmp_path,), folder=folder) for folder in ("", "a", "a/b", "c")}
    assert {folder: tool and tool.program for folder, tool in found.items()} == {
        "": root,
        "a": inner,
        "a/b": inner,
        "c": root,
    }
    assert found["a/b"] is not None
    assert found["a/b"].origin == "a/node_modules/.bin"


async def test_what_installers_put_into_the_home_is_found_without_a_path(
    tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A host that was started from a desktop has not the PATH of a shell."""
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    cargo = program(home / ".cargo/bin/some-cargo")
    tool = find_tool("some-cargo", (tmp_path,))
    assert tool is not None
    assert (tool.program, tool.origin) == (cargo, "~/.cargo/bin")


async def test_poetrys_environment_is_asked_for_and_not_made(
    tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    managed = tmp_path / "cache/venv"
    program(managed / "bin/python")
    mypy = program(managed / "bin/mypy")
    program(home / "bin/poetry", f'echo "$@" >>"{home}/asked"; echo "{managed}"')
    monkeypatch.setenv("PATH", f"{home}/bin:/usr/bin:/bin")
    checkout = tmp_path / "r"
    checkout.mkdir()
    with pytest.raises(ToolUnavailableError):
        await locate("mypy", context(checkout))  # without its lock file nobody is asked
    assert not (home / "asked").exists()
    tool = await locate("mypy", context(checkout, paths=("poetry.lock",)))
    assert tool.program == mypy
    assert (home / "asked").read_text() == "env info --path\n"
    environment = await python_environment(context(checkout, paths=("poetry.lock",)), "")
    assert environment is not None
    assert environment.prefix == managed


@pytest.mark.parametrize("answer", ["exit 1", "true", "echo /nowhere"])
async def test_a_manager_without_an_environment_has_none(
    tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch, answer: str
) -> None:
    program(home / "bin/pipenv", answer)
    monkeypatch.setenv("PATH", f"{home}/bin:/usr/bin:/bin")
    assert await python_environment(context(tmp_path, paths=("Pipfile.lock",)), "") is None


async def test_an_environment_tells_when_a_package_changes(tmp_path: Path) -> None:
    program(tmp_path / ".venv/bin/python")
    packages = tmp_path / ".venv/lib/python3.12/site-packages"
    packages.mkdir(parents=True)
    environment = await python_environment(context(tmp_path), "")
    assert environment is not None
    empty = environment.digest(())
    assert environment.digest(()) == empty
    (packages / "a-1.dist-info").mkdir()
    installed = environment.digest(())
    (packages / "a-1.dist-info").rename(packages / "a-2.dist-info")
    assert len({empty, installed, environment.digest(())}) == 3


async def test_an_editable_install_is_known_by_its_path_file(tmp_path: Path) -> None:
    program(tmp_path / ".venv/bin/python")
    packages = tmp_path / ".venv/lib/python3.12/site-packages"
    packages.mkdir(parents=True)
    (packages / "a.pth").write_text(f"import sys\n{tmp_path}/src\n/elsewhere\nrelative\n")
    (packages / "b.pth").write_bytes(b"\xff\xfe\n")
    environment = await python_environment(context(tmp_path), "")
    assert environment is not None
    assert environment.editable((tmp_path,)) == ("src",)
