"""Results kept by content: whole or not there, bounded, and never a reason to fail."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from prview.store.cache import MAX_ENTRY, ResultCache

if TYPE_CHECKING:
    from pathlib import Path

KEYS = [f"{number:064x}" for number in range(10)]


def file_of(cache: ResultCache, key: str) -> Path:
    return cache.folder / key[:2] / key


def used_at(cache: ResultCache, key: str, seconds: int) -> None:
    os.utime(file_of(cache, key), (seconds, seconds))


def test_what_is_kept_is_returned_to_the_byte(tmp_path: Path) -> None:
    cache = ResultCache(tmp_path / "c")
    assert cache.get(KEYS[0]) is None
    cache.put(KEYS[0], b"one\ntwo\n\0")
    assert cache.get(KEYS[0]) == b"one\ntwo\n\0"
    assert ResultCache(tmp_path / "c").get(KEYS[0]) == b"one\ntwo\n\0"
    assert cache.get(KEYS[1]) is None


def test_nobody_else_can_read_it(tmp_path: Path) -> None:
    cache = ResultCache(tmp_path / "c")
    cache.put(KEYS[0], b"x")
    assert file_of(cache, KEYS[0]).stat().st_mode & 0o077 == 0
    assert file_of(cache, KEYS[0]).parent.stat().st_mode & 0o077 == 0


@pytest.mark.parametrize("damage", [b"", b"no digest", b"0" * 64 + b"\nx"])
def test_a_damaged_entry_is_not_there(tmp_path: Path, damage: bytes) -> None:
    cache = ResultCache(tmp_path / "c")
    cache.put(KEYS[0], b"x")
    file_of(cache, KEYS[0]).write_bytes(damage)
    assert cache.get(KEYS[0]) is None
    cache.put(KEYS[0], b"y")
    assert cache.get(KEYS[0]) == b"y"


def test_a_folder_in_its_place_is_no_entry(tmp_path: Path) -> None:
    cache = ResultCache(tmp_path / "c")
    file_of(cache, KEYS[0]).mkdir(parents=True)
    cache.put(KEYS[0], b"x")
    assert cache.get(KEYS[0]) is None


def test_a_place_that_cannot_be_written_keeps_nothing_and_fails_nothing(tmp_path: Path) -> None:
    (tmp_path / "c").write_text("a file")
    cache = ResultCache(tmp_path / "c")
    cache.put(KEYS[0], b"x")
    assert cache.get(KEYS[0]) is None


def test_the_least_recently_used_go_first(tmp_path: Path) -> None:
    cache = ResultCache(tmp_path / "c", max_entries=2)
    for age, key in enumerate(KEYS[:3]):
        cache.put(key, b"x")
        used_at(cache, key, 1_000_000 + age)
    assert cache.get(KEYS[0]) == b"x"  # used just now
    cache.prune()
    assert [cache.get(key) is not None for key in KEYS[:3]] == [True, False, True]


def test_the_size_of_all_is_bounded(tmp_path: Path) -> None:
    cache = ResultCache(tmp_path / "c", max_bytes=500)
    for age, key in enumerate(KEYS):
        cache.put(key, b"x" * 100)
        used_at(cache, key, 1_000_000 + age)
    cache.prune()
    assert [key for key in KEYS if cache.get(key)] == KEYS[-3:]


def test_a_process_prunes_by_itself(tmp_path: Path) -> None:
    for age, key in enumerate(KEYS[:5]):
        cache = ResultCache(tmp_path / "c", max_entries=2)
        cache.put(key, b"x")
        used_at(cache, key, 1_000_000 + age)
    assert sum(path.is_file() for path in (tmp_path / "c").rglob("*")) <= 2


def test_a_result_that_is_too_large_is_not_kept(tmp_path: Path) -> None:
    cache = ResultCache(tmp_path / "c")
    cache.put(KEYS[0], b"x" * (MAX_ENTRY + 1))
    assert not (tmp_path / "c").exists()
