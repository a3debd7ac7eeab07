"""Test suites of JavaScript, Rust and Go: what their runners say, and what two runs say together."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from prview.checks.base import ToolOutputError
from prview.checks.go.testing import read_events
from prview.checks.js.test_report import read_report
from prview.checks.rust.libtest import NotCountedError, read_targets
from prview.checks.rust.testing import read_run
from prview.checks.suites.judging import failures, no_evidence, no_longer_run
from prview.checks.suites.outcomes import Case, Run, Status, collected
from support.captured_tools import captured, job_on, printed

if TYPE_CHECKING:
    from pathlib import Path

Row = tuple[str, str, int]


def rows(run: Run) -> list[Row]:
    return [(case.id, case.status.value, case.line) for case in run.cases.values()]


def run_of(**names: Status) -> Run:
    return collected([Case("a.test.js", name, status) for name, status in names.items()], {})


def lost(head: Run, base: Run, *there: str, renames: dict[str, str] | None = None) -> list[str]:
    found = no_longer_run(head, base, check="jest", renames=renames or {}, there=there or ("a.test.js",))
    return [item.finding.message for item in found]


# --- runners ------------------------------------------------------------------------------------------------


def test_vitest(tmp_path: Path) -> None:
    data = captured("vitest.json").replace("@TREE@", str(tmp_path)).encode()
    run = read_report(job_on(tmp_path, check="vitest"), printed(tmp_path, "", code=1), data, tool="Vitest")
    assert rows(run) == [
        ("test/core.test.ts::add adds", "passed", 4),
        ("test/core.test.ts::add fails", "failed", 5),
        ("test/core.test.ts::add is skipped", "skipped", 8),
        ("test/core.test.ts::add later", "skipped", 9),
        ("test/core.test.ts::top", "passed", 11),
    ]
    assert "nowhere" in run.broken["test/broken.test.ts"][1]


def test_jest(tmp_path: Path) -> None:
    data = captured("jest.json").replace("@TREE@", str(tmp_path)).encode()
    run = read_report(job_on(tmp_path, check="jest"), printed(tmp_path, "", code=1), data, tool="Jest")
    assert rows(run)[:3] == [
        ("core.test.js::add adds", "passed", 2),
        ("core.test.js::add fails", "failed", 3),
        ("core.test.js::add is skipped", "skipped", 6),
    ]
    assert run.broken["broken.test.js"] == (1, "Cannot find module 'nowhere' from 'broken.test.js'")


@pytest.mark.parametrize(
    "data",
    [
        "",
        "{}",
        '{"numTotalTests": 2, "testResults": []}',
        '{"numTotalTests": 0, "testResults": [], "wasInterrupted": true}',
    ],
)
def test_a_report_that_is_not_complete_is_an_error(tmp_path: Path, data: str) -> None:
    job = job_on(tmp_path, check="jest")
    with pytest.raises(ToolOutputError):
        read_report(job, printed(tmp_path, ""), data.encode(), tool="Jest")


def test_cargo_test(tmp_path: Path) -> None:
    """A panic has a place, and an example of the documentation is a test of its file."""
    job = job_on(tmp_path, "src/lib.rs", "tests/whole.rs", check="cargo_test")
    run = read_run(job, printed(tmp_path, captured("cargo_test.txt"), captured("cargo_test.err"), code=101))
    assert sorted(rows(run)) == [
        ("src/lib.rs::doc add", "passed", 5),
        ("src/lib.rs::tests::adds", "passed", 1),
        ("src/lib.rs::tests::fails", "failed", 28),
        ("src/lib.rs::tests::ignored", "skipped", 1),
        ("src/lib.rs::tests::panics", "passed", 1),
        ("tests/whole.rs::whole", "passed", 1),
    ]
    assert run.cases["src/lib.rs::tests::fails"].message == (
        "assertion `left == right` failed: sum left: 3 right: 4"
    )


def test_a_target_of_cargo_that_says_nothing_is_an_error(tmp_path: Path) -> None:
    job = job_on(tmp_path, "src/lib.rs", check="cargo_test")
    said = captured("cargo_test.err") + "     Running benches/own.rs (@TARGET@/debug/deps/own-1)\n"
    with pytest.raises(ToolOutputError, match="harness of its own"):
        read_run(job, printed(tmp_path, captured("cargo_test.txt"), said, code=101))


@pytest.mark.parametrize(
    "text",
    [
        "running 2 tests\ntest a ... ok\ntest result: ok. 2 passed; 0 failed; 0 ignored; \n",
        "running 1 test\ntest a ... hello\nok\ntest result: ok. 1 passed; 0 failed; 0 ignored; \n",
        "running 1 test\ntest a ... ok\n",
    ],
)
def test_tests_of_rust_that_do_not_add_up_are_an_error(text: str) -> None:
    with pytest.raises(NotCountedError):
        read_targets(text)


def test_go_test(tmp_path: Path) -> None:
    """A test that only stands for its subtests is not told twice; a package that does not build is broken."""
    (tmp_path / "a_test.go").write_text("package demo\n\nfunc TestAdd(t *testing.T) {\n}\n")
    job = job_on(tmp_path, "a_test.go", "sub/s.go", check="go_test")
    said = printed(tmp_path, captured("go_test.jsonl"), captured("go_test.err"), code=2)
    run = read_events(job, said, "module example.com/demo\n")
    assert rows(run) == [
        ("a_test.go::TestAdd", "passed", 3),
        ("a_test.go::TestFails/sub_case", "failed", 12),
        ("a_test.go::TestSkipped", "skipped", 15),
    ]
    assert run.broken["sub/s.go"][0] == 3


def test_a_go_test_without_an_end_did_not_pass(tmp_path: Path) -> None:
    events = '{"Action":"run","Package":"m","Test":"TestA"}\n{"Action":"fail","Package":"m"}\n'
    run = read_events(job_on(tmp_path, check="go_test"), printed(tmp_path, events, code=1), "module m\n")
    assert [case.status for case in run.cases.values()] == [Status.FAILED]


# --- two runs -----------------------------------------------------------------------------------------------


def test_failures_are_errors_at_their_tests() -> None:
    run = collected([Case("a.test.js", "adds", Status.FAILED, 7, "3 is not 4")], {"b.test.js": (1, "gone")})
    assert [(f.path, f.line, f.rule, f.message) for f in failures(run, check="jest")] == [
        ("a.test.js", 7, "failed", "adds failed: 3 is not 4"),
        ("b.test.js", 1, "collection", "the tests of this file cannot be run: gone"),
    ]


def test_a_test_that_is_skipped_now_no_longer_runs() -> None:
    head, base = run_of(one=Status.SKIPPED, two=Status.PASSED), run_of(one=Status.FAILED, two=Status.PASSED)
    assert lost(head, base) == ["test one of the base no longer runs: skipped"]


def test_a_test_that_was_skipped_before_is_not_missed() -> None:
    assert lost(run_of(one=Status.PASSED), run_of(one=Status.PASSED, two=Status.SKIPPED)) == []


def test_a_test_that_is_gone_no_longer_runs_and_a_moved_one_does() -> None:
    base = run_of(one=Status.PASSED, two=Status.PASSED)
    head = collected([Case("b.test.js", "one", Status.PASSED)], {})
    assert lost(head, base, "b.test.js") == ["test two of the base no longer runs: its file is removed"]


def test_a_renamed_file_loses_no_test() -> None:
    head = collected([Case("b.test.js", "one", Status.PASSED)], {})
    assert lost(head, run_of(one=Status.PASSED), "b.test.js", renames={"a.test.js": "b.test.js"}) == []


def test_tests_of_a_file_that_cannot_be_loaded_are_not_named_one_by_one() -> None:
    assert lost(Run(broken={"a.test.js": (1, "no")}), run_of(one=Status.PASSED)) == []


def test_a_run_without_tests_is_no_evidence() -> None:
    assert no_evidence(Run()) == "ran no test"
    assert no_evidence(run_of(one=Status.SKIPPED)) == "skipped all 1 tests: nothing was run"
    assert no_evidence(run_of(one=Status.SKIPPED, two=Status.PASSED)) is None


def test_of_two_ends_of_one_test_the_worse_one_counts() -> None:
    run = collected([Case("a", "t", Status.PASSED), Case("a", "t", Status.FAILED)], {})
    assert run.having(Status.FAILED) == {"a::t"}
