"""Reading source of a tree that somebody else made."""

from __future__ import annotations

from typing import TYPE_CHECKING

from prview.signals.sources import MAX_SOURCE_BYTES, Unread, read_source

if TYPE_CHECKING:
    from pathlib import Path


def test_a_file_is_read_without_its_byte_order_mark(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_bytes(b"\xef\xbb\xbfx = 'caf\xc3\xa9'\n")
    assert read_source(tmp_path, "a.py") == "x = 'café'\n"


def test_a_missing_file_is_none(tmp_path: Path) -> None:
    (tmp_path / "a.py").touch()
    assert read_source(tmp_path, "b.py") is None
    assert read_source(tmp_path, "a.py/b.py") is None


def test_what_cannot_be_read_says_why(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("outside")
    (tmp_path / "link.py").symlink_to(tmp_path / "secret")
    (tmp_path / "latin.py").write_bytes(b"caf\xe9")
    (tmp_path / "big.py").write_bytes(b"x" * (MAX_SOURCE_BYTES + 1))
    (tmp_path / "folder.py").mkdir()
    found = {name: read_source(tmp_path, f"{name}.py") for name in ("link", "latin", "big", "folder")}
    assert found == {
        "link": Unread("link.py", "is a link or cannot be opened"),
        "latin": Unread("latin.py", "is not UTF-8"),
        "big": Unread("big.py", "is larger than 1 MiB"),
        "folder": Unread("folder.py", "is not a file"),
    }
