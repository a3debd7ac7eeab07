from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from oskit.process import clean_environment, find_program, run

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def program(tmp_path: Path) -> Path:
    path = tmp_path / "some-program"
    path.write_text("#!/bin/sh\n")
    path.chmod(0o755)
    return path


@pytest.mark.parametrize(
    "name",
    [
        "GIT_DIR",
        "GIT_INDEX_FILE",
        "GIT_CONFIG_GLOBAL",
        "PYTHONPATH",
        "PYTHONHOME",
        "VIRTUAL_ENV",
        "NODE_OPTIONS",
        "LD_PRELOAD",
        "BASH_ENV",
        "ENV",
        "PERL5OPT",
        "RUBYOPT",
        "CI",
        "AWS_SECRET_ACCESS_KEY",
    ],
)
def test_what_was_meant_for_us_is_not_passed_on(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setenv(name, "x")
    assert name not in clean_environment()
    assert clean_environment(keep=[name])[name] == "x"


@pytest.mark.parametrize(
    "name", ["HOME", "LANG", "LC_ALL", "LC_TIME", "TMPDIR", "TZ", "USER", "XDG_CACHE_HOME"]
)
def test_who_and_where_the_user_is_is_passed_on(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setenv(name, "x")
    assert clean_environment()[name] == "x"


def test_what_is_added_wins_and_what_is_unset_stays_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/ours")
    monkeypatch.delenv("LANG", raising=False)
    environment = clean_environment(add={"HOME": "/theirs", "NEW": "1"}, keep=["LANG"])
    assert (environment["HOME"], environment["NEW"]) == ("/theirs", "1")
    assert "LANG" not in environment


def test_the_search_path_has_no_relative_folders(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", os.pathsep.join(["", ".", "bin", "/usr/bin", "../x", "/bin", ""]))
    assert clean_environment()["PATH"] == "/usr/bin:/bin"


def test_without_a_search_path_there_is_the_default_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PATH")
    assert clean_environment()["PATH"] == os.defpath
    assert find_program("sh") is not None


def test_a_program_in_the_current_folder_is_not_found(program: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(program.parent)
    assert find_program(program.name, "") is None
    assert find_program(program.name, ".::") is None
    assert find_program(program.name, f".:{program.parent}") == str(program)


def test_the_first_folder_wins_and_what_is_not_executable_is_passed_over(program: Path) -> None:
    first, second = program.parent / "first", program.parent / "second"
    for folder in (first, second):
        folder.mkdir()
        (folder / "tool").write_text("#!/bin/sh\n")
    (second / "tool").chmod(0o755)
    (first / "sub").mkdir()
    path = f"{first}:{second}"
    assert find_program("tool", path) == str(second / "tool")
    assert find_program("sub", path) is None


def test_a_name_with_a_slash_is_a_path(program: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(program.parent)
    assert find_program(f"./{program.name}") == str(program)
    assert find_program(str(program)) == str(program)
    assert find_program(f"{program}-missing") is None


@pytest.mark.anyio
async def test_a_child_gets_the_clean_environment_and_our_mark_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_DIR", "/somewhere")
    done = await run(["/usr/bin/env"], deadline_s=10)
    names = {line.partition(b"=")[0].decode() for line in done.stdout.splitlines()}
    assert names == {*clean_environment(), "OSKIT_TREE"}
