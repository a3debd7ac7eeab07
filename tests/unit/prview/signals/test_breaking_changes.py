"""The signal about breaking changes as a run asks for it."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from prview.domain.decision import place
from prview.domain.findings import Level
from prview.signals.base import SignalConfig
from prview.signals.breaking import python
from prview.signals.breaking.analyzer import BreakingChanges
from prview.signals.breaking.document import PATH
from support.repos import GitRepo
from support.signal_context import context, of_repository, places, said

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.anyio

BEFORE = {
    "py/pyproject.toml": "[project]\nname = 'app'\n",
    "py/src/app/__init__.py": "",
    "py/src/app/core.py": "import os\n\n\ndef add(a, b):\n    return a + b\n\n\ndef gone():\n    return 1\n",
    "py/tests/test_core.py": "def helper(): ...\n",
    "ts/package.json": '{"name": "lib", "main": "index.ts"}\n',
    "ts/index.ts": "export function load(id: string): string {\n  return id;\n}\nexport const x = 1;\n",
    "ts/types.d.ts": "export interface Item {\n  id: string;\n  name: string;\n}\n",
    "rs/Cargo.toml": '[package]\nname = "engine"\n',
    "rs/src/lib.rs": "pub async fn start(port: u16) {\n    body();\n}\npub(crate) fn hidden() {}\n",
    "go/go.mod": "module example.com/go\n",
    "go/api/api.go": "package api\n\nfunc Serve(port int) error {\n\treturn nil\n}\n",
    "ts/node_modules/dep/index.js": "exports.a = 1;\n",
    "ts/dist/app.min.js": "exports.a = 1;\n",
    "py/src/app/client_pb2.py": "def stub(): ...\n",
}
AFTER = BEFORE | {
    "py/src/app/core.py": 'import os\n\nKEY = os.environ["API_KEY"]\n\n\ndef add(a):\n    return a\n',
    "py/tests/test_core.py": "",
    "ts/index.ts": "export function load(id: string, retry: number): string {\n  return id;\n}\nexport const x = 1;\n",
    "ts/types.d.ts": "export interface Item {\n  id: string;\n}\n",
    "rs/src/lib.rs": "pub fn start(port: u16) {\n    body();\n}\n",
    "go/api/api.go": "package api\n\nfunc Serve(port int) error {\n\tprintln()\n\treturn nil\n}\n",
    "ts/node_modules/dep/index.js": "",
    "ts/dist/app.min.js": "",
    "py/src/app/client_pb2.py": "",
}
FOUND = [
    ("py/src/app/core.py", 3, "env-required"),
    ("py/src/app/core.py", 6, "parameter-removed"),
    ("py/src/app/core.py", 6, "removed"),
    ("rs/src/lib.rs", 1, "modifier-changed"),
    ("ts/index.ts", 1, "parameter-added-required"),
    ("ts/types.d.ts", 3, "removed"),
]


async def test_every_language_of_a_real_branch_is_compared(tmp_path: Path) -> None:
    repo = GitRepo.create(tmp_path / "repo")
    repo.write_many(BEFORE).commit("before")
    repo.branch("topic").write_many(AFTER).commit("after")
    signal = await BreakingChanges().analyze(await of_repository(repo, tmp_path / "scratch"))
    assert places(signal) == FOUND
    assert signal is not None
    assert signal.escalates
    assert signal.limits == ()
    assert {finding.check for finding in signal.findings} == {"signal_breaking"}


async def test_a_message_says_what_it_was_what_it_is_and_what_happens(tmp_path: Path) -> None:
    signal = await said(BreakingChanges(), tmp_path, BEFORE, AFTER)
    messages = {finding.rule: finding.message for finding in signal.findings} if signal else {}
    assert messages["parameter-removed"] == (
        "app.core.add lost its parameter b: calls that pass it fail. It was def add(a, b) and is def add(a)."
    )
    assert messages["env-required"].endswith("Found by pattern.")


async def test_what_was_removed_is_not_held_against_the_line_that_stands_there_now(tmp_path: Path) -> None:
    base = {"a.py": "def keep():\n    return 1\n\n\ndef gone():\n    return 1\n"}
    repo = GitRepo.create(tmp_path / "r").write_many(base)
    repo.commit("base")
    repo.branch("topic").write("a.py", "def keep():\n    return 1\n\n\nSOMETHING = 2\n").commit("after")
    scene = await of_repository(repo, tmp_path / "scratch")
    signal = await BreakingChanges().analyze(scene)
    assert signal is not None
    (item,) = signal.judged(scene.change)
    assert (item.finding.path, item.finding.subject, item.on_added_line) == ("a.py", "a.gone", False)
    assert "It stood at a.py:5 in the merge base." in item.finding.message
    assert place(item).endswith(" a.gone")


async def test_the_document_and_the_data_hold_every_change(tmp_path: Path) -> None:
    signal = await said(BreakingChanges(), tmp_path, BEFORE, AFTER)
    assert signal is not None
    assert [artifact.path for artifact in signal.artifacts] == [PATH]
    text = signal.artifacts[0].text
    for path, line, _ in FOUND:
        assert f"`{path}:{line}`" in text
    assert "- Before: `def add(a, b)`\n- After: `def add(a)`\n" in text
    assert "## Found by pattern" in text
    data = json.loads(json.dumps(signal.data))
    assert [(item["path"], item["line"], item["rule"]) for item in data["changes"]] == FOUND
    assert (data["total"], data["by_pattern"], data["unlisted"]) == (6, 1, 0)


async def test_the_same_change_gives_the_same_bytes(tmp_path: Path) -> None:
    one = await said(BreakingChanges(), tmp_path / "1", BEFORE, AFTER)
    other = await said(BreakingChanges(), tmp_path / "2", dict(reversed(BEFORE.items())), AFTER)
    assert one == other


@pytest.mark.parametrize(
    ("path", "before", "after"),
    [
        ("a.py", "def f(x):\n    return 1\n", "def f(x):\n    return 2\n"),
        ("README.md", "one\n", "two\n"),
        ("pkg/test_a.py", "def f(): ...\n", ""),
        ("web/node_modules/a/index.js", "exports.a = 1\n", ""),
    ],
)
async def test_nothing_to_say_is_nothing(tmp_path: Path, path: str, before: str, after: str) -> None:
    assert await said(BreakingChanges(), tmp_path, {path: before}, {path: after}) is None


async def test_a_file_that_the_base_calls_generated_is_left_alone(tmp_path: Path) -> None:
    attributes = {".gitattributes": "gen/** linguist-generated\n"}
    files = {"gen/a.py": "def f(): ...\n"}
    assert await said(BreakingChanges(), tmp_path, files | attributes, {"gen/a.py": ""} | attributes) is None


async def test_a_branch_cannot_hide_a_break_by_calling_the_file_generated(tmp_path: Path) -> None:
    after = {".gitattributes": "*.py linguist-generated\n", "a.py": "# @generated\nx = 1\n"}
    signal = await said(BreakingChanges(), tmp_path, {"a.py": "def f(): ...\n"}, after)
    assert places(signal) == [("a.py", 1, "removed")]


async def test_notes_alone_do_not_escalate_and_neither_does_a_project_that_says_no(tmp_path: Path) -> None:
    notes = await said(
        BreakingChanges(), tmp_path / "1", {"a.py": "def f(x=1): ...\n"}, {"a.py": "def f(x=2): ...\n"}
    )
    assert notes is not None
    assert not notes.escalates
    told = await said(
        BreakingChanges(),
        tmp_path / "2",
        {"a.py": "def f(x): ...\n"},
        {"a.py": "x = 1\n"},
        config=SignalConfig(breaking_escalation=False),
    )
    assert told is not None
    assert told.findings[0].level is Level.WARNING
    assert not told.escalates


async def test_what_could_not_be_compared_is_said_even_when_nothing_was_found(tmp_path: Path) -> None:
    big = "x = 1\n" * 200_000
    signal = await said(
        BreakingChanges(),
        tmp_path,
        {"a.py": "def f(): ...\n", "b.py": big},
        {"a.py": "def f(:\n", "b.py": big + "y = 1\n"},
    )
    assert signal is not None
    assert signal.findings == ()
    assert signal.limits == (
        "a.py has a syntax error in line 1 and was not compared",
        "b.py is larger than 1 MiB and was not compared",
        "b.py in the merge base is larger than 1 MiB and was not compared",
    )
    assert "## Not compared" in signal.artifacts[0].text
    assert not signal.escalates


async def test_a_reader_that_fails_costs_only_its_own_language(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(_: object) -> None:
        raise ZeroDivisionError("odd file")

    monkeypatch.setattr(python, "python_breaks", broken)
    signal = await said(BreakingChanges(), tmp_path, BEFORE, AFTER)
    assert signal is not None
    assert signal.limits == ("python could not be compared: ZeroDivisionError: odd file",)
    assert ("ts/types.d.ts", 3, "removed") in places(signal)


async def test_text_of_the_repository_is_quoted_as_data(tmp_path: Path) -> None:
    evil = 'export const x: "`</details> **[a](b)**\\u202e" = 1;\nexport const y = 1;\n'
    signal = await said(BreakingChanges(), tmp_path, {"a.ts": evil}, {"a.ts": "export const y = 1;\n"})
    assert signal is not None
    text = signal.artifacts[0].text
    assert "``" in text
    assert "\u202e" not in text


async def test_python_of_the_reviewed_tree_is_never_executed(tmp_path: Path) -> None:
    marker = tmp_path / "executed"
    attack = f"open({str(marker)!r}, 'w').close()\n"
    before = {"pkg/__init__.py": attack, "pkg/m.py": attack + "def f(): ...\n", "setup.py": attack}
    signal = await said(
        BreakingChanges(), tmp_path / "trees", before, before | {"pkg/m.py": attack + "x = 1\n"}
    )
    assert places(signal) == [("pkg/m.py", 2, "removed")]
    assert not marker.exists()


async def test_only_what_the_change_touches_is_read(tmp_path: Path) -> None:
    """Untouched files are as good as unreadable, except those that re-export."""
    before = {f"lib/m{number}.py": "def f(): ...\n" for number in range(50)}
    asked = context(tmp_path, before, before | {"lib/m7.py": "x = 1\n"})
    for path in before:
        if path != "lib/m7.py":
            (tmp_path / "base" / path).write_bytes(b"\xff")
            (tmp_path / "head" / path).write_bytes(b"\xff")
    signal = await BreakingChanges().analyze(asked)
    assert places(signal) == [("lib/m7.py", 1, "removed")]
    assert signal is not None
    assert signal.limits == ()


def test_the_registry_is_light() -> None:
    """Naming the signals loads neither griffe nor a grammar."""
    check = "import sys, prview.signals.registry; print([m for m in sys.modules if m in {'griffe', 'tree_sitter'}])"
    done = subprocess.run(
        [sys.executable, "-c", check], capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stdout.strip() == "[]"
