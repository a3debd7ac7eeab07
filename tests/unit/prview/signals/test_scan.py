"""One pass over the reviewed commit."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from anyio import to_thread

from prview.signals.own import own_files
from prview.signals.scan import MAX_FILE, HeadPass
from support.signal_context import context

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.anyio


async def paths_of(head: HeadPass) -> list[str]:
    """What a pass gives, asked for in a worker thread as analyzers do."""
    return await to_thread.run_sync(lambda: [path for path, _ in head.files()])


async def test_only_own_text_files_with_a_needle_are_given(tmp_path: Path) -> None:
    tree = {
        "a.py": "needle\n",
        "b.py": "hay\n",
        "vendor/c.py": "needle",
        "uv.lock": "needle",
        "d.png": "needle",
    }
    given = context(tmp_path, tree, tree | {"new.md": "a needle\n"})
    (tmp_path / "head" / "e.py").write_bytes(b"\0needle")
    (tmp_path / "head" / "big.py").write_bytes(b"needle" * MAX_FILE)
    (tmp_path / "head" / "link.py").symlink_to("a.py")
    own = await own_files(given)
    own.head.paths = own.head.paths | {"e.py", "big.py", "link.py", "missing.py"}
    head = HeadPass(own, frozenset([b"needle"]))
    assert await paths_of(head) == ["a.py", "new.md"]
    assert head.cut is None


async def test_many_needles_are_found_as_words(tmp_path: Path) -> None:
    given = context(tmp_path, {}, {"a.py": "word7\n", "b.py": "sword7s\n", "c.py": "“größe”\n"})
    own = await own_files(given)
    words = [f"word{number}" for number in range(100)]
    head = HeadPass(own, frozenset(word.encode() for word in (*words, "größe")))
    assert await paths_of(head) == ["a.py", "c.py"]


async def test_paths_can_be_narrowed_and_no_needles_look_at_nothing(tmp_path: Path) -> None:
    given = context(tmp_path, {}, {"a.py": "x\n", "b.md": "x\n"})
    own = await own_files(given)
    narrowed = HeadPass(own, frozenset([b"x"]), lambda path: path.endswith(".md"))
    assert await paths_of(narrowed) == ["b.md"]
    assert await paths_of(HeadPass(own, frozenset())) == []


async def test_what_is_beyond_the_bounds_is_said(tmp_path: Path) -> None:
    given = context(tmp_path, {}, {"a.py": "x\n" * 10, "b.py": "x\n", "c.py": "x\n"})
    own = await own_files(given)
    head = HeadPass(own, frozenset([b"x"]), max_bytes=10)
    assert await paths_of(head) == ["a.py"]
    assert head.cut == "2 of 3 files were not searched: too much text"
