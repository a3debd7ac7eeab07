"""A parsed file is believed only while the file is the very same."""

from __future__ import annotations

import json
import os
import time
from typing import TYPE_CHECKING

import pytest

from oskit.files import StorageMissingError
from prview.domain.sarif_reading import read_sarif
from prview.errors import StorageCorruptError
from prview.store import sarif_files
from prview.store.sarif_files import MAX_KEPT, SarifFiles

if TYPE_CHECKING:
    from pathlib import Path

LONG_AGO_NS = 10**18


def sarif(*rules: str) -> str:
    """A log with one finding a rule."""
    place = {"physicalLocation": {"artifactLocation": {"uri": "a.py"}}}
    results = [{"ruleId": rule, "message": {"text": "m"}, "locations": [place]} for rule in rules]
    return json.dumps({"runs": [{"results": results}]})


def rules(files: SarifFiles, path: Path) -> list[str]:
    return [item.rule for item in files.read(path).items]


@pytest.fixture
def parsings(monkeypatch: pytest.MonkeyPatch) -> list[bytes]:
    """What was parsed, in the order of parsing."""
    seen: list[bytes] = []

    def noted(data: bytes) -> object:
        seen.append(data)
        return read_sarif(data)

    monkeypatch.setattr(sarif_files, "read_sarif", noted)
    return seen


@pytest.fixture
def settled(monkeypatch: pytest.MonkeyPatch) -> None:
    """A clock so late that no file is fresh."""
    later = time.time_ns() + LONG_AGO_NS
    monkeypatch.setattr("prview.store.sarif_files.time.time_ns", lambda: later)


@pytest.mark.usefixtures("settled")
def test_a_file_is_parsed_once_while_it_stays_the_same(tmp_path: Path, parsings: list[bytes]) -> None:
    path, files = tmp_path / "a.sarif", SarifFiles()
    path.write_text(sarif("one", "two"))
    assert [rules(files, path) for _ in range(3)] == [["one", "two"]] * 3
    assert len(parsings) == 1


@pytest.mark.usefixtures("settled")
@pytest.mark.parametrize("way", ["in place", "replaced", "in place, its time set back"])
def test_a_file_that_was_written_again_is_read_again_also_at_the_same_size(tmp_path: Path, way: str) -> None:
    path, files = tmp_path / "a.sarif", SarifFiles()
    path.write_text(sarif("one"))
    assert rules(files, path) == ["one"]
    before = path.stat()
    while path.stat().st_ctime_ns == before.st_ctime_ns:  # a clock that stands still for some milliseconds
        if way == "replaced":
            (tmp_path / "new").write_text(sarif("two"))
            (tmp_path / "new").replace(path)
        else:
            path.write_text(sarif("two"))
        if way.endswith("set back"):
            os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert path.stat().st_size == before.st_size
    assert rules(files, path) == ["two"]


def test_a_fresh_file_is_not_remembered(tmp_path: Path, parsings: list[bytes]) -> None:
    """Two writes within one step of the file system's clock have the same times."""
    path, files = tmp_path / "a.sarif", SarifFiles()
    path.write_text(sarif("one"))
    os.utime(path, ns=(LONG_AGO_NS * 4, LONG_AGO_NS * 4))  # in the future: never old enough
    assert [rules(files, path) for _ in range(2)] == [["one"]] * 2
    assert len(parsings) == 2


@pytest.mark.usefixtures("settled")
def test_damage_and_loss_are_told_every_time_and_what_was_known_is_forgotten(tmp_path: Path) -> None:
    path, files = tmp_path / "a.sarif", SarifFiles()
    path.write_text(sarif("one"))
    files.read(path)
    path.write_text("{")
    for _ in range(2):
        with pytest.raises(StorageCorruptError):
            files.read(path)
    path.unlink()
    for _ in range(2):
        with pytest.raises(StorageMissingError):
            files.read(path)


@pytest.mark.usefixtures("settled")
def test_only_the_files_used_last_are_kept(tmp_path: Path, parsings: list[bytes]) -> None:
    files = SarifFiles()
    paths = [tmp_path / f"{number}.sarif" for number in range(MAX_KEPT + 1)]
    for path in paths:
        path.write_text(sarif(path.stem))
        files.read(path)
        files.read(paths[0])
    assert len(parsings) == len(paths)
    files.read(paths[0])
    assert len(parsings) == len(paths)
    files.read(paths[1])
    assert len(parsings) == len(paths) + 1
