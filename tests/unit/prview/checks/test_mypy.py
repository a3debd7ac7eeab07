"""Mypy, the real one, on both sides of a change."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from prview.checks.base import Profile
from prview.checks.mypy import Mypy
from prview.domain.checks import State
from support.checking import Checker, origins, own_programs
from support.repos import GitRepo

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.anyio

TYPED = "def add(a: int, b: int) -> int:\n    return a + b\n"
WRONG = 'COUNT: int = "many"\n'
CONFIGURED = "[tool.mypy]\nstrict = true\n"


@pytest.fixture
def checker(tmp_path: Path) -> Checker:
    repo = GitRepo.create(tmp_path / "r").write(".gitignore", ".venv/\n")
    repo.write_many({"pyproject.toml": CONFIGURED, "pkg/__init__.py": "", "pkg/core.py": TYPED})
    repo.commit("base")
    repo.branch("topic")
    own_programs(repo, "mypy", "python")
    return Checker(repo, tmp_path / "scratch")


async def found(checker: Checker) -> list[tuple[str, int, str, str]]:
    """What mypy has to say now, after it was seen to look."""
    result = await checker.one(Mypy())
    assert result.state is State.EXECUTED, (result.reason, result.log)
    return origins(result)


async def test_an_error_that_the_change_brings_is_introduced_and_blocks(checker: Checker) -> None:
    checker.repo.write("pkg/core.py", TYPED.replace("a + b", "str(a)")).commit()
    result = await checker.one(Mypy())
    assert origins(result) == [("pkg/core.py", 2, "return-value", "introduced")]
    assert result.examined == {"pkg/core.py"}
    assert result.worst_introduced == "error"
    assert str(result.tool).startswith("mypy ")
    assert "--output=json" in result.log
    assert "LOG:" not in result.log


async def test_the_profile_decides_how_much_is_looked_at(checker: Checker) -> None:
    """An error in a file that did not change is seen by the standard profile and not by the quick one."""
    checker.repo.write("pkg/user.py", "from pkg.core import add\n\nadd(1, 2)\n").commit("user")
    checker.repo.checkout("main").merge("topic")
    checker.repo.branch("later").write("pkg/core.py", TYPED.replace("b: int", "b: str")).commit()
    assert origins(await checker.one(Mypy())) == [
        ("pkg/core.py", 2, "operator", "introduced"),
        ("pkg/user.py", 3, "arg-type", "introduced"),
    ]
    checker.profile = Profile.QUICK
    assert await found(checker) == [("pkg/core.py", 2, "operator", "introduced")]


async def test_an_old_error_that_moved_is_preexisting(checker: Checker) -> None:
    checker.repo.checkout("main").write("pkg/old.py", WRONG).commit("old")
    checker.repo.branch("later").write("pkg/old.py", f"# more\n\n{WRONG}{TYPED}").commit()
    assert await found(checker) == [("pkg/old.py", 3, "assignment", "preexisting")]


async def test_an_old_error_in_a_renamed_file_is_preexisting(checker: Checker) -> None:
    checker.repo.checkout("main").write("pkg/old.py", WRONG + TYPED).commit("old")
    checker.repo.branch("later").rename("pkg/old.py", "pkg/new.py").commit()
    assert await found(checker) == [("pkg/new.py", 1, "assignment", "preexisting")]


async def test_a_removed_import_breaks_a_line_that_did_not_change(checker: Checker) -> None:
    used = "import os\n\n\ndef name() -> str:\n    return os.name\n"
    checker.repo.checkout("main").write("pkg/uses.py", used).commit("used")
    checker.repo.branch("later").write("pkg/uses.py", used.removeprefix("import os\n")).commit()
    result = await checker.one(Mypy())
    assert ("pkg/uses.py", 4, "name-defined", "introduced") in origins(result)
    assert not any(item.on_added_line for item in result.judged)


async def test_an_edit_of_equal_length_in_the_same_second_is_seen(checker: Checker) -> None:
    """Mypy's cache, shared by both sides, takes equal time and size for equal content."""
    checker.repo.checkout("main").write("pkg/core.py", TYPED.replace("a + b", "'abc'")).commit("old")
    checker.repo.branch("later").write("pkg/core.py", TYPED.replace("a + b", "abcde")).commit()
    assert ("pkg/core.py", 2, "name-defined", "introduced") in await found(checker)


async def test_each_project_of_a_monorepo_is_checked_under_its_own_configuration(checker: Checker) -> None:
    nested = {"api/mypy.ini": "[mypy]\n", "api/main.py": "def f(x):\n    return x\n"}
    checker.repo.write_many(nested).write("pkg/core.py", "def f(x):\n    return x\n").commit()
    assert await found(checker) == [("pkg/core.py", 1, "no-untyped-def", "introduced")]
    checker.repo.write("api/main.py", WRONG).commit()
    assert await found(checker) == [
        ("api/main.py", 1, "assignment", "introduced"),
        ("pkg/core.py", 1, "no-untyped-def", "introduced"),
    ]


async def test_equal_names_in_two_folders_are_two_files(checker: Checker) -> None:
    old = {"pkg/sub/__init__.py": "", "pkg/sub/main.py": WRONG, "pkg/main.py": ""}
    checker.repo.checkout("main").write_many(old).commit("old")
    checker.repo.branch("later").write("pkg/main.py", WRONG).commit()
    assert await found(checker) == [
        ("pkg/main.py", 1, "assignment", "introduced"),
        ("pkg/sub/main.py", 1, "assignment", "preexisting"),
    ]


async def test_the_checkout_does_not_answer_for_the_commit(checker: Checker) -> None:
    """An editable install puts the work tree on the path; what is not committed there is not reviewed."""
    checker.repo.write_many(
        {
            "src/app/__init__.py": "",
            "src/app/core.py": TYPED,
            "tool/use.py": "import app.core\n\napp.core.add(1, 2)\n",
        }
    )
    checker.repo.write("pyproject.toml", CONFIGURED + 'files = ["tool"]\n').commit()
    packages = checker.repo.path / ".venv/lib/python3.11/site-packages"
    packages.mkdir(parents=True)
    (packages / "_app.pth").write_text(f"{checker.repo.path}/src\n")
    checker.repo.write("src/app/core.py", TYPED.replace("a: int", "a: str"))
    assert await found(checker) == []


async def test_a_project_without_a_configuration_is_not_judged(checker: Checker) -> None:
    checker.repo.write("pyproject.toml", '[project]\nname = "x"\n').write("pkg/core.py", WRONG).commit()
    result = await checker.one(Mypy())
    assert (result.state, result.neutral) == (State.SKIPPED, True)
    assert result.reason == "the project does not configure mypy"


async def test_files_that_the_configuration_leaves_out_are_no_pass(checker: Checker) -> None:
    checker.repo.write("pyproject.toml", CONFIGURED + 'files = ["pkg"]\n').commit("only pkg")
    checker.repo.checkout("main").merge("topic")
    checker.repo.branch("later").write("tests/test_a.py", WRONG).commit()
    for profile in (Profile.STANDARD, Profile.QUICK):
        checker.profile = profile
        result = await checker.one(Mypy())
        assert (result.state, result.examined) == (State.SKIPPED, frozenset())
        assert "does not look at the changed file" in str(result.reason)


async def test_a_file_that_cannot_be_parsed_leaves_the_rest_unseen(checker: Checker) -> None:
    checker.repo.write("pkg/bad.py", "def broken(:\n").commit()
    result = await checker.one(Mypy())
    assert {item.finding.rule for item in result.introduced} == {"syntax"}
    assert result.unseen == "mypy stopped at what it cannot parse: pkg/bad.py"


async def test_a_base_that_cannot_be_parsed_is_no_evidence(checker: Checker) -> None:
    """Everything would seem new."""
    checker.repo.checkout("main").write("pkg/bad.py", "def broken(:\n").write("pkg/old.py", WRONG).commit(
        "red"
    )
    checker.repo.branch("later").write("pkg/bad.py", "").write("pkg/old.py", WRONG + TYPED).commit()
    result = await checker.one(Mypy())
    assert result.state is State.ERROR
    assert "on the base side" in str(result.reason)


async def test_a_configuration_that_mypy_refuses_is_an_error(checker: Checker) -> None:
    checker.repo.write("pyproject.toml", CONFIGURED + 'plugins = ["nowhere"]\n').commit()
    result = await checker.one(Mypy())
    assert result.state is State.ERROR
    assert "exit code" in str(result.reason) or "could not check" in str(result.reason)
    assert "nowhere" in result.log


async def test_a_plugin_of_a_foreign_branch_is_not_run(checker: Checker) -> None:
    mark = checker.repo.path.parent / "was-run"
    plugin = f"open({str(mark)!r}, 'w').close()\n\n\ndef plugin(version: str) -> object: ...\n"
    config = CONFIGURED + 'plugins = ["tool/plugin.py"]\n'
    checker.repo.write("tool/plugin.py", plugin).write("pyproject.toml", config).commit()
    checker.may_run_code = False
    result = await checker.one(Mypy())
    assert (result.state, result.neutral) == (State.SKIPPED, False)
    assert "the plugin tool/plugin.py" in str(result.reason)
    assert not mark.exists()


async def test_without_an_environment_missing_imports_are_nobodys_mistake(checker: Checker) -> None:
    (checker.repo.path / ".venv/bin/python").unlink()
    checker.repo.write("pkg/core.py", "import surely_not_installed\n\n" + WRONG).commit()
    result = await checker.one(Mypy())
    assert origins(result) == [("pkg/core.py", 3, "assignment", "introduced")]
    assert "no environment of the project" in str(result.unseen)


async def test_a_mypy_without_json_is_too_old(checker: Checker) -> None:
    program = checker.repo.path / ".venv/bin/mypy"
    program.unlink()
    program.write_text("#!/bin/sh\necho 'mypy 1.10.0 (compiled: yes)'\n")
    program.chmod(0o755)
    checker.repo.write("pkg/core.py", WRONG).commit()
    result = await checker.one(Mypy())
    assert result.state is State.UNAVAILABLE
    assert "1.11 or newer" in str(result.reason)
