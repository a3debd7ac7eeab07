"""Large changes, and where they could be cut."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from prview.signals.size import ARTIFACT, MANY_FILES, MANY_LINES, Size, area, size_name
from support.signal_context import places, said

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.anyio


def _lines(number: int) -> str:
    return "".join(f"line {count}\n" for count in range(number))


async def test_a_change_that_a_reader_can_hold_is_not_remarked_on(tmp_path: Path) -> None:
    assert await said(Size(), tmp_path, {}, {"a.py": _lines(MANY_LINES)}) is None


async def test_a_large_change_names_its_parts_and_is_shown_at_its_largest_file(tmp_path: Path) -> None:
    after = {
        "packages/shop/src/shop/cart.py": _lines(300),
        "packages/shop/tests/test_cart.py": _lines(40),
        "packages/mail/src/mail/send.py": _lines(100),
        "docs/cart.md": _lines(10),
        "uv.lock": _lines(5000),
    }
    signal = await said(Size(), tmp_path, {}, after)
    assert signal is not None
    assert places(signal) == [("packages/shop/src/shop/cart.py", 1, "large")]
    assert signal.data["lines"] == 450
    assert signal.data["left_out"] == 1
    assert signal.data["parts"] == [
        {"name": "packages/shop", "files": 2, "lines": 340},
        {"name": "packages/mail", "files": 1, "lines": 100},
        {"name": "documents", "files": 1, "lines": 10},
    ]
    assert "packages/shop (340 lines), packages/mail (100 lines)" in signal.findings[0].message
    assert signal.artifacts[0].path == ARTIFACT


async def test_many_small_files_are_large_too(tmp_path: Path) -> None:
    after = {f"src/shop/f{number}.py": "x\n" for number in range(MANY_FILES + 1)}
    signal = await said(Size(), tmp_path, {}, after)
    assert signal is not None
    assert (signal.data["files"], signal.data["size"]) == (MANY_FILES + 1, "S")


async def test_generated_and_vendored_lines_do_not_count(tmp_path: Path) -> None:
    after = {"vendor/a.js": _lines(900), "dist/app.min.js": _lines(900), "a.py": "x\n"}
    assert await said(Size(), tmp_path, {}, after) is None


async def test_moves_without_a_change_are_a_part_of_their_own(tmp_path: Path) -> None:
    before = {"old.py": _lines(500), "big.py": ""}
    after = {"new.py": _lines(500), "big.py": _lines(600)}
    signal = await said(Size(), tmp_path, before, after, renamed={"old.py": "new.py"})
    assert signal is not None
    assert {"name": "moved without a change", "files": 1, "lines": 0} in signal.data["parts"]  # type: ignore[operator]


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("setup.py", "(root)"),
        ("src/shop/cart.py", "src/shop"),
        ("src/cart.py", "src"),
        ("packages/shop/src/shop/a/b.py", "packages/shop"),
        ("web/pages/a.ts", "web"),
    ],
)
def test_a_file_belongs_to_the_first_folder_that_is_about_something(path: str, expected: str) -> None:
    assert area(path) == expected


@pytest.mark.parametrize(
    ("lines", "name"), [(0, "XS"), (10, "XS"), (11, "S"), (200, "M"), (400, "L"), (401, "XL")]
)
def test_sizes_have_names(lines: int, name: str) -> None:
    assert size_name(lines) == name
