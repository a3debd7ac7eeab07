"""The answer to `tools/list` as a file of a package."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

import pytest

from mcpkit import schemas
from mcpkit.listing import FILE_NAME, listing_of, packaged_listing
from mcpkit.operation import PublishedServer
from support.demo_server.server import OPERATIONS

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """An importable package that brings no listing yet."""
    folder = tmp_path / "listed_package"
    folder.mkdir()
    (folder / "__init__.py").touch()
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, folder.name, raising=False)
    return folder.name


def test_two_tools_of_one_name_are_refused() -> None:
    with pytest.raises(ValueError, match="two tools are named 'add'"):
        listing_of([OPERATIONS[0], OPERATIONS[1], OPERATIONS[0]])


def test_a_listing_survives_its_file_with_the_order_of_everything(package: str, tmp_path: Path) -> None:
    listing = listing_of(OPERATIONS)
    (tmp_path / package / FILE_NAME).write_text(listing.text)
    read = packaged_listing(package)
    assert json.dumps(read.tools) == json.dumps(listing.tools)
    assert read.names == tuple(operation.name for operation in OPERATIONS)


def test_a_package_without_its_listing_does_not_serve_an_empty_one(package: str) -> None:
    with pytest.raises(FileNotFoundError, match=FILE_NAME):
        packaged_listing(package)


def test_a_listing_that_is_missing_or_stale_is_a_difference_and_is_written(
    package: str, tmp_path: Path
) -> None:
    server = PublishedServer("demo", OPERATIONS[:2], package=package)
    out = tmp_path / "schemas"
    schemas.write([PublishedServer("demo", OPERATIONS[:2])], out)
    (missing,) = schemas.differences([server], out)
    assert missing.path == f"{package}/{FILE_NAME}"
    assert schemas.write([server], out) == [missing]
    assert schemas.differences([server], out) == []
    file = tmp_path / package / FILE_NAME
    file.write_text(file.read_text().replace("Add two numbers.", "Add three numbers."))
    (stale,) = schemas.differences([server], out)
    assert (stale.path, stale.breaking) == (missing.path, ())
    schemas.write([server], out)
    assert packaged_listing(package) == listing_of(OPERATIONS[:2])
