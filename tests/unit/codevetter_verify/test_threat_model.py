"""The page that says who can do what names a test for each promise, and those tests are there."""

from __future__ import annotations

import re

from support.documentation import ROOT

PAGE = ROOT / "docs" / "codevetter-threat-model.md"
QUALIFICATIONS = ROOT / "tests" / "contract" / "test_nine_qualifications.py"
DEFINED = re.compile(r"^(?:async )?def (test_\w+)", re.MULTILINE)


def named() -> set[str]:
    return set(re.findall(r"`(test_\w+)`", PAGE.read_text()))


def test_every_test_that_the_page_names_exists() -> None:
    modules = (ROOT / "tests").rglob("test_*.py")
    existing = {name for module in modules for name in DEFINED.findall(module.read_text())}
    assert named() - existing == set()


def test_each_of_the_nine_qualifications_is_one_test_that_the_page_names() -> None:
    tests = DEFINED.findall(QUALIFICATIONS.read_text())
    assert [name.split("_")[1] for name in tests] == list("123456789")
    assert set(tests) <= named()
