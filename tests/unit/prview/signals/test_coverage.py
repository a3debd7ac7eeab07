"""Whether changed source is tested."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

import pytest

from prview.domain.findings import Level
from prview.signals.coverage.analyzer import CHANGED_TESTS, DELTA, Coverage, ranges
from prview.signals.coverage.names import subject
from prview.signals.coverage.reports import READERS, ReportError
from support.signal_context import Tree, places, said

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.anyio

OLD, NEW = "x = 1\n", "x = 1\n\n\ndef f():\n    return x\n"


async def _untested(folder: Path, rest: Tree, path: str, *, new: str = NEW, **how: Any) -> list[str]:
    signal = await said(Coverage(), folder, rest | {path: OLD}, rest | {path: new}, **how)
    return [item.path for item in signal.findings] if signal else []


@pytest.mark.parametrize(
    ("path", "test"),
    [
        ("src/pkg/cart.py", {"tests/test_cart.py": "x"}),
        ("src/pkg/cart.py", {"tests/unit/test_cart_totals.py": "x"}),
        ("src/pkg/cart.py", {"tests/test_other.py": "from pkg.cart import f\n"}),
        ("src/pkg/cart.py", {"tests/test_other.py": "from pkg import cart\n"}),
        ("src/pkg/cart/__init__.py", {"tests/test_cart.py": "x"}),
        ("web/cart.ts", {"web/cart.test.ts": "x"}),
        ("web/cart.tsx", {"web/__tests__/cart.spec.js": "x"}),
        ("web/cart.ts", {"web/all.test.ts": "import { f } from './cart';\n"}),
        ("pkg/cart.go", {"pkg/other_test.go": "package pkg\n"}),
        ("src/cart.rs", {"tests/cart.rs": "x"}),
        ("src/Cart.java", {"test/CartTest.java": "x"}),
        ("a/models.py", {"a/tests/test_models.py": "x", "b/models.py": "x"}),
    ],
)
async def test_a_source_with_a_test_is_left_alone(tmp_path: Path, path: str, test: Tree) -> None:
    assert await _untested(tmp_path, {"src/pkg/__init__.py": ""} | test, path) == []


@pytest.mark.parametrize(
    ("path", "rest"),
    [
        ("src/pkg/cart.py", {}),
        ("src/pkg/cart.py", {"tests/test_carton.py": "from pkg.carton import f\n"}),
        ("src/pkg/cart.py", {"tests/test_cart_items.py": "", "src/pkg/cart_items.py": ""}),
        ("src/pkg/cart.py", {"tests/test_other.py": "# pkg.cart\n"}),
        ("src/pkg/cart.py", {"web/cart.test.ts": "x"}),
        ("a/models.py", {"b/tests/test_models.py": "x", "b/models.py": "x"}),
        ("src/cart.rs", {"src/other.rs": "#[cfg(test)]\nmod tests {}\n"}),
        ("pkg/cart.go", {"other/cart_other_test.go": "package other\n", "pkg/cart_other.go": ""}),
    ],
)
async def test_a_source_without_a_test_is_named(tmp_path: Path, path: str, rest: Tree) -> None:
    assert await _untested(tmp_path, rest, path) == [path]


@pytest.mark.parametrize(
    ("path", "new"),
    [
        ("src/pkg/cart.py", "x = 1\n\n\n"),
        ("src/pkg/cart.py", OLD + "# a remark\nimport os\n\n"),
        ("src/pkg/cart.py", '"""More\n\nwords."""\n' + OLD),
        ("src/pkg/__init__.py", 'from .a import (\n    b,\n)\n__all__ = ["b"]\n'),
        ("src/pkg/cart.py", ""),
        ("docs/conf.py", NEW),
        ("src/pkg/cart.pyi", NEW),
        ("vendor/cart.py", NEW),
        ("README.md", NEW),
        ("src/cart.rs", "fn f() {}\n#[cfg(test)]\nmod tests {}\n"),
    ],
)
async def test_what_needs_no_test_is_not_named(tmp_path: Path, path: str, new: str) -> None:
    assert await _untested(tmp_path, {}, path, new=new) == []


async def test_the_finding_is_a_note_at_the_first_added_line(tmp_path: Path) -> None:
    signal = await said(Coverage(), tmp_path, {"pkg/a.py": OLD}, {"pkg/a.py": NEW})
    assert signal is not None
    assert places(signal) == [("pkg/a.py", 2, "untested")]
    assert signal.findings[0].level is Level.NOTE
    assert [artifact.path for artifact in signal.artifacts] == [DELTA]
    assert "pkg/a.py: no test found" in signal.artifacts[0].text
    assert signal.data["untested"] == ["pkg/a.py"]


async def test_changed_tests_are_listed_with_what_they_are_about(tmp_path: Path) -> None:
    before = {"pkg/a.py": OLD, "tests/test_a.py": OLD, "tests/test_gone.py": OLD}
    after = {"pkg/a.py": NEW, "tests/test_a.py": NEW}
    signal = await said(Coverage(), tmp_path, before, after)
    assert signal is not None
    texts = {artifact.path: artifact.text for artifact in signal.artifacts}
    assert texts[CHANGED_TESTS] == "M tests/test_a.py  about pkg/a.py\nD tests/test_gone.py\n"
    assert "pkg/a.py: its tests change, too" in texts[DELTA]
    assert signal.findings == ()


async def test_a_change_of_documents_is_silent(tmp_path: Path) -> None:
    assert await said(Coverage(), tmp_path, {}, {"README.md": "x\n"}) is None


REPORTS = {
    "coverage.xml": (
        '<?xml version="1.0"?><coverage><sources><source>{root}</source></sources><class filename="pkg/a.py">'
        '<line number="4" hits="1"/><line hits="0" number="5"/></class></coverage>'
    ),
    "lcov.info": "SF:pkg/a.py\nDA:4,1\nDA:5,0\nend_of_record\n",
    "coverage.json": json.dumps({"files": {"pkg/a.py": {"executed_lines": [1, 4], "missing_lines": [5]}}}),
    "coverage/coverage-final.json": json.dumps(
        {
            "x": {
                "path": "ROOT/pkg/a.py",
                "statementMap": {"0": {"start": {"line": 4}}, "1": {"start": {"line": 5}}},
                "s": {"0": 1, "1": 0},
            }
        }
    ),
    "coverage.out": "mode: set\nexample.org/m/pkg/a.py:4.1,4.9 1 1\nexample.org/m/pkg/a.py:5.1,5.9 1 0\n",
}


def _worktree(folder: Path, name: str, report: str, *, source: str = NEW) -> Path:
    worktree = folder / "work"
    (worktree / "pkg").mkdir(parents=True)
    (worktree / "pkg/a.py").write_text(source)
    file = worktree / name
    file.parent.mkdir(exist_ok=True)
    file.write_text(report.replace("{root}", str(worktree)).replace("ROOT", str(worktree)))
    return worktree


@pytest.mark.parametrize("name", REPORTS)
async def test_a_report_of_the_reviewed_text_tells_which_added_lines_ran(tmp_path: Path, name: str) -> None:
    worktree = _worktree(tmp_path, name, REPORTS[name])
    signal = await said(Coverage(), tmp_path, {"pkg/a.py": OLD}, {"pkg/a.py": NEW}, worktree=worktree)
    assert signal is not None
    assert places(signal) == [("pkg/a.py", 5, "not-covered")]
    assert signal.findings[0].level is Level.NOTE
    assert signal.findings[0].message == f"1 of 2 added lines did not run when {name} was measured: 5"


async def test_source_of_which_nothing_ran_is_a_warning_although_a_test_has_its_name(tmp_path: Path) -> None:
    worktree = _worktree(tmp_path, "lcov.info", "SF:pkg/a.py\nDA:4,0\nDA:5,0\n")
    test = {"tests/test_a.py": "x\n"}
    signal = await said(
        Coverage(), tmp_path, test | {"pkg/a.py": OLD}, test | {"pkg/a.py": NEW}, worktree=worktree
    )
    assert signal is not None
    assert [(item.rule, item.level) for item in signal.findings] == [("not-covered", Level.WARNING)]


async def test_source_that_ran_is_tested_whatever_its_tests_are_called(tmp_path: Path) -> None:
    worktree = _worktree(tmp_path, "lcov.info", "SF:pkg/a.py\nDA:4,3\nDA:5,1\n")
    assert await _untested(tmp_path, {}, "pkg/a.py", worktree=worktree) == []


@pytest.mark.parametrize("why", ["older", "other text", "not a report"])
async def test_a_report_that_may_not_be_about_this_text_is_not_used(tmp_path: Path, why: str) -> None:
    text = "nothing" if why == "not a report" else "SF:pkg/a.py\nDA:4,3\nDA:5,1\n"
    worktree = _worktree(tmp_path, "lcov.info", text, source=OLD if why == "other text" else NEW)
    if why == "older":
        os.utime(worktree / "lcov.info", (1, 1))
    signal = await said(Coverage(), tmp_path, {"pkg/a.py": OLD}, {"pkg/a.py": NEW}, worktree=worktree)
    assert signal is not None
    assert places(signal) == [("pkg/a.py", 2, "untested")]
    assert "not used" in signal.artifacts[0].text


@pytest.mark.parametrize("name", READERS)
@pytest.mark.parametrize("text", ["", "{", "[]", "[1]", '{"files": 3}', '{"a": 1}', "<html>", "null"])
def test_no_text_breaks_a_reader(name: str, text: str) -> None:
    with pytest.raises(ReportError):
        READERS[name](text)


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("a/test_cart.py", "cart"),
        ("a/cart_test.go", "cart"),
        ("a/cart.test.tsx", "cart"),
        ("a/CartTest.java", "cart"),
        ("a/cart/index.ts", "cart"),
        ("a/latest.py", "latest"),
        ("tests.py", "tests"),
    ],
)
def test_a_file_is_about_something(path: str, name: str) -> None:
    assert subject(path) == name


def test_lines_are_shown_as_ranges() -> None:
    assert ranges([1, 2, 3, 5, 7, 8]) == ["1-3", "5", "7-8"]
