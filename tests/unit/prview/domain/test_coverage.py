"""What counts as having looked at a changed file."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from prview.domain.checks import Kind
from prview.domain.coverage import ledger
from support.prview_review import changed_file, result

if TYPE_CHECKING:
    from prview.domain.change import ChangedFile

FILE = changed_file("a.py", "+x = 1")


@pytest.mark.parametrize(
    ("file", "unexamined"),
    [
        (FILE, ()),
        (replace(FILE, binary=True), ("a.py",)),
        (replace(FILE, binary=True, status="D"), ()),
        (replace(FILE, path="lib", new_mode="160000"), ("lib",)),
        (replace(FILE, path="a.png", binary=True), ()),
    ],
    ids=["source", "source that git takes for binary", "gone", "submodule", "picture"],
)
def test_what_nobody_can_have_read_is_unexamined(file: ChangedFile, unexamined: tuple[str, ...]) -> None:
    seen = frozenset({"a.py", "lib", "a.png"})
    checks = (
        replace(result("ruff", kind=Kind.LINT), examined=seen),
        replace(result("large", kind=Kind.POLICY), examined=seen),
    )
    assert ledger([file], checks).unexamined == unexamined
