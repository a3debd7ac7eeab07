"""A pack appears whole, by one rename, or not at all."""

from __future__ import annotations

import datetime as dt
import hashlib
import json
import zipfile
from typing import TYPE_CHECKING

import pytest

from mcpkit.errors import ToolError
from prview.domain.checks import Kind
from prview.models.records import Manifest, Sanity
from prview.service.packing import pack_files
from prview.store import paths
from prview.store.archive import check_archive, write_archive
from prview.store.documents import read_document
from prview.store.home import Home
from prview.store.pack import publish
from prview.store.run_folder import reserve
from prview.store.runs import list_runs
from support.prview_review import HEAD, change_of, changed_file, result, reviewed
from support.secret_samples import SAMPLES

if TYPE_CHECKING:
    from pathlib import Path

    from prview.store.run_folder import RunFolder


@pytest.fixture
def folder(tmp_path: Path) -> RunFolder:
    """A reserved run."""
    branch = Home(tmp_path / "home").repository("repo").branch("topic")
    return reserve(branch, started=dt.datetime(2026, 1, 2, tzinfo=dt.UTC), commit=HEAD)


def files(run_id: str, *lines: str) -> dict[str, bytes]:
    """The pack of a change of one file."""
    change = change_of([changed_file("a.md", "-a", "+b", *lines)])
    checked = result("x", kind=Kind.HYGIENE, examined=frozenset({"a.md"}), log="said\n")
    return pack_files(reviewed(change, checked, run_id=run_id))


def test_a_pack_is_sealed_and_becomes_the_latest(folder: RunFolder) -> None:
    published = publish(folder, files(folder.run_id))
    assert [run.status for run in list_runs(folder.branch)] == ["completed"]
    assert folder.branch.latest.resolve() == published
    assert not folder.path.exists()
    assert (published / paths.PATCH).read_bytes() == files(folder.run_id)[paths.PATCH]


def test_the_manifest_has_the_digest_of_every_file_and_the_seal_that_of_the_manifest(
    folder: RunFolder,
) -> None:
    published = publish(folder, files(folder.run_id))
    manifest = read_document(published / paths.MANIFEST, Manifest)
    assert manifest is not None
    there = {path.relative_to(published).as_posix() for path in published.rglob("*") if path.is_file()}
    assert {entry.path for entry in manifest.files} == there - {
        paths.MANIFEST,
        paths.SANITY,
        paths.STDERR_LOG,
    }
    for entry in manifest.files:
        content = (published / entry.path).read_bytes()
        assert (entry.sha256, entry.size) == (hashlib.sha256(content).hexdigest(), len(content))
    seal = read_document(published / paths.SANITY, Sanity)
    assert seal is not None
    assert seal.manifest_sha256 == hashlib.sha256((published / paths.MANIFEST).read_bytes()).hexdigest()
    assert set(seal.validated) <= there


def test_the_manifest_says_which_patch_is_not_git_s(folder: RunFolder) -> None:
    published = publish(folder, files(folder.run_id, f'+token = "{SAMPLES["github-token"]}"'))
    manifest = read_document(published / paths.MANIFEST, Manifest)
    assert manifest is not None
    assert [entry.path for entry in manifest.files if entry.masked] == [paths.PATCH]


def test_the_archive_has_what_the_manifest_has_without_times(folder: RunFolder) -> None:
    published = publish(folder, files(folder.run_id))
    with zipfile.ZipFile(published / paths.ARCHIVE) as archive:
        entries = archive.infolist()
        assert [entry.filename for entry in entries] == sorted(entry.filename for entry in entries)
        assert {entry.date_time for entry in entries} == {(1980, 1, 1, 0, 0, 0)}
        for entry in entries:
            assert archive.read(entry) == (published / entry.filename).read_bytes()
    assert paths.PATCH in {entry.filename for entry in entries}


@pytest.mark.parametrize("name", ["/etc/x", "../x", "a/../../x", ""])
def test_no_file_of_a_pack_lies_outside_of_it(folder: RunFolder, name: str) -> None:
    with pytest.raises(RuntimeError, match="no place in a pack"):
        publish(folder, {name: b""})


def test_a_damaged_archive_is_noticed(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(bytes(range(256)) * 20)
    write_archive(tmp_path / "z.zip", tmp_path, ["a"])
    check_archive(tmp_path / "z.zip")
    content = bytearray((tmp_path / "z.zip").read_bytes())
    content[60] ^= 0xFF
    (tmp_path / "z.zip").write_bytes(content)
    with pytest.raises(RuntimeError, match="does not read back"):
        check_archive(tmp_path / "z.zip")


@pytest.mark.parametrize(
    "broken",
    [
        {paths.GATE: b"{}"},
        {paths.RUN: b"{"},
        {paths.REPORT: b"{}"},
        {"30_context/INLINE_FINDINGS.sarif": b"[]"},
    ],
    ids=["gate", "run", "report", "sarif"],
)
def test_a_pack_that_does_not_read_back_is_not_published(folder: RunFolder, broken: dict[str, bytes]) -> None:
    with pytest.raises(Exception):  # noqa: B017, PT011 - whichever of the readers finds it first
        publish(folder, {**files(folder.run_id), **broken})
    assert [run.status for run in list_runs(folder.branch)] == ["failed"]
    assert not folder.branch.latest.exists()


def test_a_pack_that_is_interrupted_before_the_rename_does_not_exist(
    folder: RunFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every file is written, the seal too; without the rename no reader takes it for completed."""

    def interrupted(*_: object) -> Path:
        raise KeyboardInterrupt

    monkeypatch.setattr("prview.store.pack._rename", interrupted)
    with pytest.raises(KeyboardInterrupt):
        publish(folder, files(folder.run_id))
    assert (folder.path / paths.SANITY).is_file()
    assert [run.status for run in list_runs(folder.branch)] == ["failed"]


def test_the_same_review_gives_the_same_bytes(folder: RunFolder) -> None:
    assert files(folder.run_id) == files(folder.run_id)
    report = json.loads(files(folder.run_id)[paths.REPORT])
    assert report["files"][0]["checks"] == ["x"]


def test_neither_log_nor_failure_of_a_run_keeps_a_secret(folder: RunFolder) -> None:
    token = SAMPLES["github-token"]
    folder.log(f"mypy: ERROR (cannot read {token})")
    folder.fail(ToolError("run_failed", f"no {token}", hint=f"not {token}"))
    kept = b"".join(path.read_bytes() for path in folder.path.rglob("*") if path.is_file())
    assert kept.count(b"[masked:github-token]") == 3
    assert token.encode() not in kept
