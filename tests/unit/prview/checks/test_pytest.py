"""Pytest, the real one, on both sides of a change and in every suite of a monorepo."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from prview.checks.base import Profile
from prview.checks.pytest import Pytest
from prview.domain.checks import State
from support.checking import Checker, origins
from support.prview_project import FAST_PYTEST, own_tool
from support.repos import GitRepo

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.anyio

PASSES = "def test_it():\n    assert True\n"
FAILS = "def test_it():\n    assert 1 == 2\n"


@pytest.fixture
def checker(tmp_path: Path) -> Checker:
    """A repository with a suite in its root and one in `api`."""
    repo = GitRepo.create(tmp_path / "r").write(".gitignore", ".venv/\n")
    repo.write_many(
        {"pyproject.toml": '[tool.pytest.ini_options]\ntestpaths = ["tests"]\n', "tests/test_a.py": PASSES}
    )
    repo.write_many({"api/pytest.ini": "[pytest]\n", "api/tests/test_a.py": PASSES, "api/app.py": ""})
    repo.commit("base")
    repo.branch("topic")
    own_tool(repo, "pytest", FAST_PYTEST)
    return Checker(repo, tmp_path / "scratch")


async def test_a_change_is_tested_by_the_suite_around_it(checker: Checker) -> None:
    checker.repo.write("api/app.py", "X = 1\n").write("api/tests/test_a.py", FAILS)
    checker.repo.write("tests/test_a.py", FAILS).commit("both")
    assert origins(await checker.one(Pytest())) == [
        ("api/tests/test_a.py", 2, "failed", "introduced"),
        ("tests/test_a.py", 2, "failed", "introduced"),
    ]
    checker.repo.write("api/app.py", "X = 2\n").commit("only the api")
    result = await checker.one(Pytest(), base="topic~1")
    assert origins(result) == [("api/tests/test_a.py", 2, "failed", "preexisting")]


async def test_a_failure_is_where_the_test_fails(checker: Checker) -> None:
    """In the test, in a fixture beside it, where a helper of another file is called; with any traceback."""
    text = (
        "import pytest\nfrom helper import fail\n\n\n@pytest.fixture\ndef broken():\n    raise ValueError\n\n\n"
        "def test_late():\n    x = 1\n    assert x == 1\n    assert x == 2\n\n\n"
        "def test_far():\n    x = 1\n    fail(x)\n\n\ndef test_fixture(broken):\n    pass\n"
    )
    checker.repo.write_many({"tests/test_b.py": text, "tests/helper.py": "def fail(x):\n    assert not x\n"})
    checker.repo.commit()
    for style in ("auto", "short", "long"):
        checker.repo.write("tests/conftest.py", f"# {style}\n").write(
            "pyproject.toml",
            f'[tool.pytest.ini_options]\ntestpaths = ["tests"]\naddopts = "--tb={style}"\n',
        ).commit(style)
        lines = {item.finding.anchor: item.finding.line for item in (await checker.one(Pytest())).judged}
        assert lines == {"test_late": 13, "test_far": 18, "test_fixture": 7}


async def test_the_deep_profile_runs_every_suite(checker: Checker) -> None:
    checker.repo.checkout("main").write("tests/test_a.py", FAILS).commit("red")
    checker.repo.branch("later").write("api/app.py", "X = 1\n").commit()
    assert origins(await checker.one(Pytest())) == []
    checker.profile = Profile.DEEP
    assert origins(await checker.one(Pytest())) == [("tests/test_a.py", 2, "failed", "preexisting")]


async def test_an_inner_suite_that_the_outer_one_collects_again_counts_once(checker: Checker) -> None:
    checker.repo.write("pyproject.toml", "[tool.pytest.ini_options]\n").write("api/tests/__init__.py")
    checker.repo.write("api/__init__.py").write("api/tests/test_a.py", FAILS).commit()
    assert origins(await checker.one(Pytest())) == [("api/tests/test_a.py", 2, "failed", "introduced")]


async def test_a_suite_that_moved_keeps_its_history(checker: Checker) -> None:
    checker.repo.checkout("main").write("api/tests/test_a.py", FAILS).write(
        "api/pytest.ini", "[pytest]\nxfail_strict = true\n"
    ).commit("red")
    checker.repo.branch("later")
    for name in ("pytest.ini", "tests/test_a.py"):
        checker.repo.rename(f"api/{name}", f"service/{name}")
    checker.repo.remove("api").commit("moved")
    assert origins(await checker.one(Pytest())) == [("service/tests/test_a.py", 2, "failed", "preexisting")]


async def test_equal_names_in_two_suites_are_two_tests(checker: Checker) -> None:
    checker.repo.checkout("main").write("api/tests/test_a.py", FAILS).commit("red")
    checker.repo.branch("later").write("api/app.py", "X = 1\n").write("tests/test_a.py", FAILS).commit()
    assert origins(await checker.one(Pytest())) == [
        ("api/tests/test_a.py", 2, "failed", "preexisting"),
        ("tests/test_a.py", 2, "failed", "introduced"),
    ]


async def test_a_flaky_test_of_an_inner_suite_is_named(checker: Checker) -> None:
    mark = checker.repo.path.parent / "mark"
    flaky = f"import pathlib\n\n\ndef test_it():\n    mark = pathlib.Path({str(mark)!r})\n    seen = mark.exists()\n    mark.touch()\n    assert seen\n"
    checker.repo.write("api/tests/test_flaky.py", flaky).commit()
    result = await checker.one(Pytest())
    assert (result.flaky, result.judged) == (("api/tests/test_flaky.py::test_it",), ())
    assert result.outcome == "flaky"


async def test_one_suite_that_cannot_run_does_not_hide_another(checker: Checker) -> None:
    checker.repo.write("api/pytest.ini", "[pytest]\naddopts = --no-such-option\n").write(
        "tests/test_a.py", FAILS
    ).commit()
    result = await checker.one(Pytest())
    assert result.state is State.ERROR
    assert str(result.reason).startswith("api: pytest did not complete on the head side")
    assert origins(result) == [("tests/test_a.py", 2, "failed", "introduced")]


async def test_all_failures_are_seen_when_the_project_runs_tests_side_by_side(checker: Checker) -> None:
    """With pytest-xdist of the project; it is never asked for by us."""
    many = "import pytest\n\n\n@pytest.mark.parametrize('n', range(6))\ndef test_it(n):\n    assert n % 2\n"
    checker.repo.write("api/pytest.ini", "[pytest]\naddopts = -p xdist.plugin -n 2\n")
    checker.repo.write("api/tests/test_a.py", many).commit()
    result = await checker.one(Pytest())
    assert [item.finding.anchor for item in result.judged] == ["test_it[0]", "test_it[2]", "test_it[4]"]
    assert result.examined == {"api/tests/test_a.py"}


async def test_tests_are_run_again_every_time(checker: Checker) -> None:
    from prview.store.cache import ResultCache

    checker.cache = ResultCache(checker.scratch / "cache")
    checker.repo.write("tests/test_a.py", PASSES + "\n").commit()
    for _ in range(2):
        result = await checker.one(Pytest())
        assert (result.state, result.cached) == (State.EXECUTED, False)
