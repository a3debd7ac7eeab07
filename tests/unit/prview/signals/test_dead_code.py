"""Definitions that nothing names."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import pytest

from prview.domain.findings import Level
from prview.signals import dead_code, scan
from prview.signals.dead_code import ARTIFACT, DeadCode
from support.signal_context import Tree, places, said

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.anyio


async def test_added_definitions_without_a_use_are_notes(tmp_path: Path) -> None:
    after = {
        "src/a.py": "def used(): ...\ndef lonely(): ...\nclass Alone:\n    def _never(self): ...\nused()\n",
        "src/b.ts": "export function nobody() {}\nconst idle = () => 1;\nexport default function page() {}\n",
        "src/c.go": "package c\n\nfunc lost() {}\nfunc Found() {}\nfunc main() { Found() }\n",
        "src/d.rs": "fn stray() {}\n#[no_mangle]\nfn kept() {}\n",
    }
    signal = await said(DeadCode(), tmp_path, {}, after)
    assert signal is not None
    assert places(signal) == [
        ("src/a.py", 2, "unused"),
        ("src/a.py", 3, "unused"),
        ("src/a.py", 4, "unused"),
        ("src/b.ts", 1, "unused"),
        ("src/b.ts", 2, "unused"),
        ("src/c.go", 3, "unused"),
        ("src/d.rs", 1, "unused"),
    ]
    assert {finding.level for finding in signal.findings} == {Level.NOTE}
    assert "; others may use it" in signal.findings[0].message
    assert signal.artifacts[0].path == ARTIFACT


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param({}, {"a.py": "def f(): ...\n", "b.py": "from a import f\n"}, id="imported"),
        pytest.param(
            {}, {"a.py": "def go_on(): ...\n", "pyproject.toml": 'x = "a:go_on"\n'}, id="an entry point"
        ),
        pytest.param({}, {"a.py": "@route\ndef f(): ...\n"}, id="decorated"),
        pytest.param({}, {"a.py": "def main(): ...\ndef __getattr__(x): ...\n"}, id="started otherwise"),
        pytest.param({}, {"a.py": "class A:\n    def visit(self): ...\nA\n"}, id="a public method"),
        pytest.param({}, {"tests/test_a.py": "def helper(): ...\n"}, id="in tests"),
        pytest.param({}, {"app/migrations/0001_a.py": "class Migration: ...\n"}, id="found by a framework"),
        pytest.param({"a.py": "def f(): ...\n"}, {"a.py": "def f(): ...\nx = 1\n"}, id="old"),
        pytest.param({"a.py": "def f(): ...\n"}, {"a.py": "def f(x): ...\n"}, id="edited"),
    ],
)
async def test_nothing_is_said_about(tmp_path: Path, before: Tree, after: Tree) -> None:
    assert await said(DeadCode(), tmp_path, before, after) is None


async def test_what_was_not_searched_whole_is_not_called_unused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dead_code, "HeadPass", partial(scan.HeadPass, max_files=1))
    assert await said(DeadCode(), tmp_path, {}, {"a.py": "def f(): ...\n", "b.py": "x = 1\n"}) is None
