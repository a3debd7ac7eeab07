"""A branch that breaks two tests and keeps them from running, in every way that needs no hostile code."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from prview.checks.pytest import Pytest
from prview.checks.pytest_events import Ended, Session
from prview.checks.pytest_missing import incomplete, no_longer_run
from prview.domain.checks import State
from prview.domain.findings import Level
from prview.store.cache import ResultCache
from support.checking import Checker
from support.prview_project import FAST_PYTEST, own_tool
from support.repos import GitRepo

if TYPE_CHECKING:
    from pathlib import Path

TEST = "from lib import f\n\n\ndef {}():\n    assert f() == 1\n"
OK = "def test_ok():\n    assert True\n"
MARK_ALL = (
    "import pytest\n\n\ndef pytest_collection_modifyitems(items):\n"
    "    for item in items:\n        item.add_marker(pytest.mark.{}(reason='later'))\n"
)
UNLINKS = "import pathlib\n\npathlib.Path(__file__).with_name('test_a.py').unlink(missing_ok=True)\n"
DROPS = (
    "def pytest_collection_modifyitems(items):\n    items[:] = [i for i in items if i.name == 'test_ok']\n"
)
EXITS = "import pytest\n\n\ndef test_0():\n    pytest.exit('bye', returncode=0)\n"
STOPS = "import pytest\n\n\ndef pytest_collection_modifyitems():\n    pytest.exit('bye', returncode=0)\n"
CONFIG = "[pytest]\npythonpath = src\naddopts = {}\n"
DESELECT = CONFIG.format('-k "not test_a and not test_b or test_ok"')


@pytest.fixture
def checker(tmp_path: Path) -> Checker:
    """`f` is 1 on main, as two tests say, and 2 on the branch."""
    repo = GitRepo.create(tmp_path / "r").write(".gitignore", ".venv/\n")
    repo.write_many({f"tests/test_{name}.py": TEST.format(f"test_{name}") for name in "ab"})
    repo.write_many({"pytest.ini": "[pytest]\npythonpath = src\n", "src/lib.py": "def f():\n    return 1\n"})
    repo.commit("base")
    repo.branch("feat").write("src/lib.py", "def f():\n    return 2\n")
    own_tool(repo, "pytest", FAST_PYTEST)
    return Checker(repo, tmp_path / "scratch")


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("files", "state", "said"),
    [
        ({"pytest.ini": CONFIG.format("--collect-only")}, "error", ["none of 2", "--collect-only"]),
        ({"tests/test_0.py": EXITS}, "error", ["none of 3", "bye"]),
        (
            {"tests/conftest.py": STOPS},
            "error",
            ["none of 2", "bye"],
        ),
        (
            {"tests/conftest.py": MARK_ALL.format("skip")},
            "error",
            ["skipped all 2", "test_a", "test_b", "later"],
        ),
        (
            {"tests/conftest.py": MARK_ALL.format("xfail")},
            "executed",
            ["test_a", "test_b", "expected to fail"],
        ),
        ({"pytest.ini": DESELECT, "tests/test_ok.py": OK}, "executed", ["test_a", "test_b", "deselected"]),
        (
            {"tests/conftest.py": DROPS, "tests/test_ok.py": OK},
            "executed",
            ["test_a", "test_b", "deselected"],
        ),
        (
            {
                "pytest.ini": CONFIG.format("--ignore=tests/test_a.py --ignore=tests/test_b.py"),
                "tests/test_ok.py": OK,
            },
            "executed",
            ["test_a", "test_b", "not collected"],
        ),
        (
            {"pytest.ini": CONFIG.format("") + "testpaths = ok\n", "ok/test_ok.py": OK},
            "executed",
            ["test_a", "test_b", "not collected"],
        ),
        ({"tests/conftest.py": UNLINKS, "tests/test_b.py": OK}, "executed", ["test_a", "not collected"]),
        (
            {"tests/test_a.py": TEST.format("xtest_a"), "tests/test_b.py": TEST.format("xtest_b") + OK},
            "executed",
            ["test_a", "test_b", "not collected"],
        ),
    ],
    ids=[
        "collect-only",
        "exit",
        "exit-early",
        "all-skipped",
        "all-xfailed",
        "deselect",
        "drop",
        "ignore",
        "testpaths",
        "unlink",
        "rename",
    ],
)
async def test_tests_that_are_kept_from_running_are_no_pass(
    checker: Checker, files: dict[str, str], state: str, said: list[str]
) -> None:
    checker.repo.write_many(files).commit()
    result = await checker.one(Pytest())
    assert (result.state.value, result.status) == (state, "ERROR" if state == "error" else "FAIL")
    told = " ".join([result.reason or "", *(item.finding.message for item in result.introduced)])
    assert [word for word in said if word not in told] == []


@pytest.mark.anyio
async def test_removed_test_files_are_named(checker: Checker) -> None:
    checker.repo.remove("tests/test_a.py").write("tests/test_b.py", OK).commit()
    found = {item.finding.path: item.finding for item in (await checker.one(Pytest())).introduced}
    assert "its file is removed by this change" in found["tests/test_a.py"].message
    assert found["tests/test_b.py"].subject == "test_b"
    assert {finding.level for finding in found.values()} == {Level.WARNING}


@pytest.mark.anyio
async def test_tests_that_moved_or_never_ran_are_not_missed_and_the_base_is_asked_once(
    checker: Checker, monkeypatch: pytest.MonkeyPatch
) -> None:
    skipping = (
        "import pytest\n\n\n@pytest.mark.skip(reason='no display')\ndef test_shown():\n    assert False\n"
    )
    repo = checker.repo.checkout("main").write("src/lib.py", "def f():\n    return 1\n")
    repo.write("tests/test_s.py", skipping).commit("skips")
    repo.branch("moves").rename("tests/test_a.py", "tests/test_moved.py")
    repo.write(
        "tests/test_s.py",
        skipping
        + "\n\n"
        + TEST.format("test_b").replace("from lib import f\n\n\n", "def f():\n    return 1\n\n\n"),
    )
    repo.remove("tests/test_b.py").commit()
    checker.cache = ResultCache(checker.scratch / "cache")
    first = await checker.one(Pytest())
    second = await checker.one(Pytest())
    assert [(result.state, result.judged, result.unseen) for result in (first, second)] == [
        (State.EXECUTED, (), None)
    ] * 2
    assert ["# base-collect" in result.log for result in (first, second)] == [True, False]


@pytest.mark.anyio
async def test_a_change_of_source_alone_costs_no_look_at_the_base(checker: Checker) -> None:
    checker.repo.write("src/lib.py", "def f():\n    return 1 + 0\n").commit()
    result = await checker.one(Pytest())
    assert (result.status, "# base" in result.log) == ("PASS", False)


def ended(*names: str, outcome: str = "passed") -> dict[str, Ended]:
    return {name: Ended.model_validate({"event": "ended", "id": name, "outcome": outcome}) for name in names}


def test_a_session_counts_when_every_planned_test_ended() -> None:
    planned = frozenset({"t.py::a", "t.py::b"})
    assert incomplete(Session(planned=planned, ended=ended("t.py::a", "t.py::b"))) is None
    assert incomplete(Session(planned=frozenset())) is None
    half = incomplete(Session(planned=planned, ended=ended("t.py::a"), reason="Exit: bye"))
    assert half == "pytest ran only 1 of 2 collected tests (Exit: bye); without an end: t.py::b"


def test_other_values_are_no_loss_and_fewer_cases_are_one() -> None:
    before = {"t.py::a[1]", "t.py::a[2]"}
    there = {"t.py"}
    same = Session(planned=frozenset({"t.py::a[3]", "t.py::a[4]"}))
    assert no_longer_run(same, before, ran_before=(), there=there) == ()
    fewer = Session(planned=frozenset({"t.py::a[1]"}))
    (found,) = no_longer_run(fewer, before, ran_before=(), there=there)
    assert found.finding.message == "test a of the base no longer runs: not collected"
    assert no_longer_run(Session(planned=frozenset()), before, ran_before=(), there=there)[
        0
    ].finding.message == ("test a of the base no longer runs (2 cases): not collected")
