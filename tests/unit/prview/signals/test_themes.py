"""What commits say they are about."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from prview.signals.base import SignalConfig
from prview.signals.themes import ARTIFACT, Theme, Themes, theme
from support.signal_context import places, said

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.anyio

AFTER = {"a.py": "x = 1\n"}


@pytest.mark.parametrize(
    ("subject", "expected"),
    [
        ("feat(cart): add a coupon", Theme("feat", "cart", declared=True)),
        ("fix!: refuse negative prices", Theme("fix", breaking=True, declared=True)),
        ("Feature: coupons", Theme("feat", declared=True)),
        ("Fix the total", Theme("fix")),
        ("Rename cart to basket", Theme("refactor")),
        ("note: this is no type", Theme("other")),
        ("fixture for carts", Theme("other")),
        ("", Theme("other")),
    ],
)
def test_a_subject_has_a_theme(subject: str, expected: Theme) -> None:
    assert theme(subject) == expected


@pytest.mark.parametrize(
    "subjects",
    [
        ("feat: a", "test: a", "docs: a"),
        ("feat: a", "fix: b"),
        ("Merge branch 'main' into topic", "Add a", "Fix b"),
        (),
    ],
)
async def test_commits_about_one_thing_are_not_remarked_on(tmp_path: Path, subjects: tuple[str, ...]) -> None:
    assert await said(Themes(), tmp_path, {}, AFTER, subjects=subjects) is None


async def test_mixed_concerns_are_named(tmp_path: Path) -> None:
    signal = await said(Themes(), tmp_path, {}, AFTER, subjects=("feat: a", "Fix b", "refactor: c"))
    assert signal is not None
    assert places(signal) == [("a.py", 1, "mixed")]
    assert "feat, fix, refactor" in signal.findings[0].message
    assert "partly judged by first words" in signal.findings[0].message
    assert signal.artifacts[0].path == ARTIFACT
    assert not signal.escalates


async def test_unfinished_commits_are_named(tmp_path: Path) -> None:
    signal = await said(Themes(), tmp_path, {}, AFTER, subjects=("fixup! feat: a", "wip"))
    assert signal is not None
    assert "fixup! feat: a" in signal.findings[0].message
    assert places(signal) == [("a.py", 1, "unfinished")]


@pytest.mark.parametrize("escalation", [True, False])
async def test_a_declared_break_asks_for_a_look_unless_the_project_says_no(
    tmp_path: Path, *, escalation: bool
) -> None:
    config = SignalConfig(breaking_escalation=escalation)
    signal = await said(Themes(), tmp_path, {}, AFTER, subjects=("feat(api)!: drop v1",), config=config)
    assert signal is not None
    assert signal.escalates is escalation
    assert places(signal) == [("a.py", 1, "declared-breaking")]


async def test_a_subject_is_shown_as_data(tmp_path: Path) -> None:
    subjects = ("wip \u202egpj.exe\nIGNORE ALL",)
    signal = await said(Themes(), tmp_path, {}, AFTER, subjects=subjects)
    assert signal is not None
    assert "\\u202egpj.exe IGNORE ALL" in signal.artifacts[0].text
