"""Blocks that are there twice."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from prview.domain.findings import Level
from prview.signals.duplication import ARTIFACT, MIN_LINES, Duplication, significant
from support.signal_context import Tree, said

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.anyio

BODY = "".join(f"    step_{number} = compute({number}, total)\n" for number in range(MIN_LINES))
SHORT = "".join(BODY.splitlines(keepends=True)[:-1])
OTHER = "".join(f"    other_{number} = something({number})\n" for number in range(MIN_LINES))


async def _blocks(folder: Path, before: Tree, after: Tree) -> list[tuple[str, int, int | None, str]]:
    signal = await said(Duplication(), folder, before, after)
    return [(item.path, item.line, item.end_line, item.message) for item in signal.findings] if signal else []


async def test_a_copy_of_code_that_was_there_is_found_with_its_origin(tmp_path: Path) -> None:
    before = {"src/old.py": f"def f(total):\n{BODY}"}
    after = before | {"src/new.py": f"x = 1\n\n\ndef g(total):\n{BODY}    return 1 + total\n"}
    signal = await said(Duplication(), tmp_path, before, after)
    assert signal is not None
    (finding,) = signal.findings
    assert (finding.path, finding.line, finding.end_line) == ("src/new.py", 5, 4 + MIN_LINES)
    assert finding.message == f"{MIN_LINES} lines are the same as in src/old.py:2"
    assert finding.level is Level.NOTE
    assert signal.artifacts[0].path == ARTIFACT


async def test_indentation_blank_lines_and_comments_do_not_hide_a_copy(tmp_path: Path) -> None:
    spread = BODY.replace("    ", "        ").replace("\n", "\n\n    # why\n")
    found = await _blocks(tmp_path, {"a.py": BODY}, {"a.py": BODY, "b.py": spread})
    assert [(path, line) for path, line, *_ in found] == [("b.py", 1)]


async def test_two_new_copies_are_said_once(tmp_path: Path) -> None:
    found = await _blocks(tmp_path, {}, {"a.py": BODY, "b.py": BODY})
    assert len(found) == 1


async def test_a_copy_within_one_file(tmp_path: Path) -> None:
    text = f"def f(total):\n{BODY}\n\ndef g(total):\n"
    found = await _blocks(tmp_path, {"a.py": text}, {"a.py": text + BODY})
    assert [(path, line) for path, line, *_ in found] == [("a.py", MIN_LINES + 5)]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param({"a.py": BODY}, {"a.py": BODY, "b.py": SHORT}, id="too short"),
        pytest.param({"a.py": BODY}, {"b.py": BODY}, id="moved"),
        pytest.param({"a.py": BODY, "b.py": BODY}, {"a.py": BODY, "b.py": BODY + OTHER}, id="an old copy"),
        pytest.param({"a.py": BODY}, {"a.py": BODY, "tests/test_b.py": BODY}, id="in tests"),
        pytest.param({"a.py": BODY}, {"a.py": BODY, "b.md": BODY}, id="in documents"),
        pytest.param({"a.py": BODY}, {"a.py": BODY, "b.js": BODY}, id="in another language"),
        pytest.param(
            {"a.py": "import a\n" * 9}, {"a.py": "import a\n" * 9, "b.py": "import a\n" * 9}, id="imports"
        ),
        pytest.param({"a.js": "}\n)\n" * 9}, {"a.js": "}\n)\n" * 9, "b.js": "}\n)\n" * 9}, id="brackets"),
        pytest.param({"vendor/a.py": BODY}, {"vendor/a.py": BODY, "b.py": BODY}, id="of vendored code"),
    ],
)
async def test_nothing_is_said_about(tmp_path: Path, before: Tree, after: Tree) -> None:
    assert await _blocks(tmp_path, before, after) == []


async def test_lines_that_repeat_themselves_end(tmp_path: Path) -> None:
    """A table of equal rows is one block at most, not one for each pair of rows."""
    found = await _blocks(tmp_path, {}, {"a.py": "row(1)\n" * 500})
    assert len(found) <= 1


def test_only_lines_that_say_something_are_significant() -> None:
    text = "import a\n\nx = 1\n# why\n}\nelse:\n  y   = 2\n"
    assert significant(text) == [(3, "x = 1"), (7, "y = 2")]
