"""Suites that are removed, or called otherwise than usual: neither reads as a project without tests."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from prview.checks.base import Profile
from prview.checks.js.testing import Vitest
from prview.checks.pytest import Pytest
from prview.checks.rust.testing import CargoTest
from prview.checks.suites.outcomes import Case, Run, Status, collected
from prview.checks.tools import Tool
from prview.domain.checks import State
from prview.domain.findings import Level
from support.checking import Checker, origins
from support.prview_project import FAST_PYTEST, own_tool
from support.repos import GitRepo

if TYPE_CHECKING:
    from prview.checks.base import Check, CheckContext
    from prview.checks.jobs import Job, Project

pytestmark = pytest.mark.anyio

# a Vitest of the second generation: it refuses options that it does not know, and says that a test failed
VITEST = """#!/bin/sh
case $1 in --version) echo 'vitest/2.1.9 linux-x64 node-v20.20.2'; exit 0;; esac
for word in "$@"; do
  case $word in --outputFile=*) out=${word#--outputFile=};; --includeTaskLocation) exit 1;; esac
done
printf '{"numTotalTests": 1, "testResults": [{"name": "%s/test/a.js", "status": "failed", ' "$PWD" >"$out"
printf '"assertionResults": [{"fullName": "one", "status": "failed"}]}]}' >>"$out"
exit 1
"""
USES = '{"devDependencies": {"vitest": "2"}}\n'


@pytest.fixture
def checker(tmp_path: Path) -> Checker:
    repo = GitRepo.create(tmp_path / "r").write(".gitignore", ".venv/\nnode_modules/\n")
    return Checker(repo, tmp_path / "scratch")


def based_on(checker: Checker, files: dict[str, str]) -> GitRepo:
    """A base with these files, and a branch that is to be changed."""
    checker.repo.write_many(files).commit("base")
    return checker.repo.branch("topic")


@pytest.mark.parametrize(
    ("check", "test"), [(Vitest(), "src/a.test.js"), (Pytest(), "tests/test_a.py")], ids=["vitest", "pytest"]
)
async def test_removing_the_only_tests_is_named(checker: Checker, check: Check, test: str) -> None:
    repo = based_on(checker, {"package.json": USES, "src/a.js": "1\n", "src/a.py": "", test: "test\n"})
    repo.write("src/a.js", "2\n").write("src/a.py", "x = 1\n").remove(test).commit()
    result = await checker.one(check)
    assert origins(result) == [(test, 1, "not-run", "introduced")]
    assert result.judged[0].finding.level is Level.WARNING
    assert result.judged[0].finding.removed


@pytest.mark.parametrize("check", [Vitest(), Pytest()], ids=["vitest", "pytest"])
async def test_a_project_that_never_had_tests_misses_none(checker: Checker, check: Check) -> None:
    repo = based_on(checker, {"package.json": USES, "pyproject.toml": "", "src/a.js": "1\n", "src/a.py": ""})
    repo.write("src/a.js", "2\n").write("src/a.py", "x = 1\n").remove("pyproject.toml").commit()
    result = await checker.one(check)
    assert (result.state, result.neutral, result.judged) == (State.SKIPPED, True, ())


async def test_a_runner_that_is_no_longer_set_up_leaves_its_tests_behind(checker: Checker) -> None:
    files = {"package.json": USES, "a.js": "1\n", "a.test.js": "1\n", "b.test.js": "1\n"}
    repo = based_on(checker, files)
    repo.write("package.json", "{}\n").write("a.js", "2\n").commit()
    result = await checker.one(Vitest())
    assert origins(result) == [("package.json", 1, "not-run", "introduced")]
    assert "2 test files of the base no longer run (a.test.js)" in result.judged[0].finding.message


async def test_tests_that_another_runner_ran_are_not_missed_by_this_one(checker: Checker) -> None:
    repo = based_on(checker, {"package.json": "{}\n", "a.js": "1\n", "a.test.js": "1\n"})
    repo.write("a.js", "2\n").remove("a.test.js").commit()
    result = await checker.one(Vitest())
    assert (result.state, result.neutral) == (State.SKIPPED, True)


async def test_tests_of_unusual_names_run_under_an_old_vitest_too(checker: Checker) -> None:
    repo = based_on(checker, {"package.json": USES, "src/a.js": "1\n", "test/a.js": "test\n"})
    repo.write("src/a.js", "2\n").commit()
    repo.write("node_modules/.bin/vitest", VITEST, executable=True)
    result = await checker.one(Vitest())
    assert ("test/a.js", "failed") in {(path, rule) for path, _, rule, _ in origins(result)}


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("pyproject.toml", '[tool.pytest.ini_options]\npython_files = ["check_*.py"]\n'),
        ("tox.ini", "[pytest]\npython_files = spec_*.py\n    check_*.py\n"),
    ],
)
async def test_files_that_only_the_project_calls_tests_are_run(
    checker: Checker, name: str, text: str
) -> None:
    repo = based_on(checker, {name: text, "lib/check_a.py": "def test_a():\n    assert 1 == 1\n"})
    repo.write("lib/check_a.py", "def test_a():\n    assert 1 == 2\n").commit()
    own_tool(repo, "pytest", FAST_PYTEST)
    result = await checker.one(Pytest())
    assert origins(result) == [("lib/check_a.py", 2, "failed", "introduced")]


async def test_a_quick_review_takes_a_removed_suite_for_left_out(checker: Checker) -> None:
    repo = based_on(checker, {"tests/test_a.py": "", "a.py": ""})
    repo.write("a.py", "x = 1\n").remove("tests/test_a.py").commit()
    checker.profile = Profile.QUICK
    result = await checker.one(Pytest())
    assert (result.state, result.reason) == (State.SKIPPED, "left out by the quick profile")


class Counting(CargoTest):
    """Rust's tests without Rust: every `#[test]` of the library is one that passes."""

    async def find(self, context: CheckContext, project: Project) -> Tool:
        del context, project
        return Tool("cargo", Path("/bin/true"), "here")

    async def execute(self, job: Job, only: object) -> Run:
        del only
        count = (await job.text("src/lib.rs") or "").count("#[test]")
        return collected([Case("src/lib.rs", f"t{number}", Status.PASSED) for number in range(count)], {})


CRATE = {"Cargo.toml": '[package]\nname = "x"\n'}


async def test_a_crate_without_tests_has_none_to_miss(
    checker: Checker, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("prview.checks.suites.check.tool_version", version)
    repo = based_on(checker, {**CRATE, "src/lib.rs": "fn f() {}\n"})
    repo.write("src/lib.rs", "fn g() {}\n").commit()
    result = await checker.one(Counting())
    assert (result.state, result.neutral) == (State.SKIPPED, True)
    assert "no tests, neither here nor in the merge base" in (result.reason or "")


async def test_a_crate_that_lost_all_its_tests_is_no_pass(
    checker: Checker, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("prview.checks.suites.check.tool_version", version)
    repo = based_on(checker, {**CRATE, "src/lib.rs": "#[test]\nfn f() {}\n"})
    repo.write("src/lib.rs", "fn g() {}\n").commit()
    result = await checker.one(Counting())
    assert (result.state, origins(result)) == (
        State.ERROR,
        [("src/lib.rs", 1, "not-run", "introduced")],
    )


async def version(*_tool: object, **_how: object) -> str:
    return "cargo 1.0"
