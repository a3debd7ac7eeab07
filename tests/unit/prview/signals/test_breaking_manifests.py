"""What whoever installs a changed package runs into, on two trees."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from prview.signals.breaking.installed import manifest_breaks
from support.sides import told, two_sides

if TYPE_CHECKING:
    from pathlib import Path

PYTHON = '[project]\nname = "x"\n\n[project.scripts]\nrun = "x:run"\nold = "x:old"\n'
NODE = '{\n  "name": "@a/x",\n  "bin": {"run": "a.js", "old": "b.js"},\n  "exports": {".": "./i.js", "./old": "./o.js"}\n}\n'


@pytest.mark.parametrize(
    ("path", "before", "after", "found"),
    [
        ("pyproject.toml", PYTHON, PYTHON.replace('old = "x:old"\n', ""), [("command-removed", "old")]),
        (
            "a/pyproject.toml",
            '[project.optional-dependencies]\nfast = ["y"]\n[project.entry-points."a.b"]\nc = "x:c"\n',
            "[project]\n",
            [("feature-removed", "fast"), ("entry-removed", "a.b: c")],
        ),
        (
            "package.json",
            NODE,
            NODE.replace(', "old": "b.js"', "").replace(', "./old": "./o.js"', ""),
            [("command-removed", "old"), ("entry-removed", "./old")],
        ),
        ("package.json", '{"name": "@a/x", "bin": "a.js"}', '{"name": "@a/x"}', [("command-removed", "x")]),
        (
            "Cargo.toml",
            '[features]\nfast = []\n[[bin]]\nname = "tool"\n',
            "[features]\n",
            [("feature-removed", "fast"), ("command-removed", "tool")],
        ),
        ("pyproject.toml", PYTHON, PYTHON.replace("x:old", "x:new"), []),
        ("package.json", NODE, NODE.replace("a.js", "c.js"), []),
    ],
)
def test_what_a_manifest_no_longer_offers_is_told(
    tmp_path: Path, path: str, before: str, after: str, found: list[tuple[str, str]]
) -> None:
    breaks = manifest_breaks(two_sides(tmp_path, {path: before}, {path: after}))
    assert sorted(told(breaks)) == sorted(found)
    assert not any(item.heuristic for item in breaks)


def test_it_is_located_where_it_was(tmp_path: Path) -> None:
    after = "# new\n" + PYTHON.replace('old = "x:old"\n', "")
    found = manifest_breaks(two_sides(tmp_path, {"pyproject.toml": PYTHON}, {"pyproject.toml": after}))
    assert [(item.path, item.line) for item in found] == [("pyproject.toml", 6)]


def test_a_manifest_that_is_not_valid_is_said(tmp_path: Path) -> None:
    work = two_sides(tmp_path, {"package.json": NODE}, {"package.json": "{"})
    assert manifest_breaks(work) == []
    assert work.head.unread == {"package.json": "is not valid"}
