"""Planted defects: a GREEN counts only when each of them was called RED."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import pytest

from artifactize.agents.contract import Review
from artifactize.agents.controls import CatchRate, Control, ControlError, Controlled, controlled, plant

if TYPE_CHECKING:
    from pathlib import Path

TYPO = Control("typo", "guide/a.md", "defined", "undefined")
LOSS = Control("loss", "guide/a.md", "Every term", "")


@pytest.fixture
def source(tmp_path: Path) -> Path:
    folder = tmp_path / "source" / "guide"
    folder.mkdir(parents=True)
    (folder / "a.md").write_text("Every term is defined.\n")
    (folder / "link.md").symlink_to("/etc/hostname")
    return folder.parent


def _review(tmp_path: Path, verdict: Literal["GREEN", "RED", "ERROR"], code: str | None = None) -> Review:
    return Review(verdict, code, "said", tmp_path / "session.jsonl")


async def _controlled(
    source: Path, tmp_path: Path, *controls: Control, says: Literal["GREEN", "RED", "ERROR"] = "GREEN"
) -> tuple[Controlled, list[str]]:
    """A reviewer that only sees whether `undefined` stands there; what it saw of each copy."""
    seen: list[str] = []

    async def review_copy(copy: Path, _: Control) -> Review:
        seen.append((copy / "guide" / "a.md").read_text())
        return _review(tmp_path, "RED" if "undefined" in seen[-1] else "GREEN")

    review = _review(tmp_path, says)
    ended = await controlled(
        review, controls, source=source, scratch=tmp_path / "scratch", review_copy=review_copy
    )
    return ended, seen


@pytest.mark.anyio
async def test_a_green_counts_when_every_defect_was_caught(source: Path, tmp_path: Path) -> None:
    ended, seen = await _controlled(source, tmp_path, TYPO)
    assert (ended.review.verdict, ended.rate) == ("GREEN", CatchRate(1, 1))
    assert seen == ["Every term is undefined.\n"]
    assert (source / "guide" / "a.md").read_text() == "Every term is defined.\n"
    assert list((tmp_path / "scratch").iterdir()) == []


@pytest.mark.anyio
async def test_a_green_that_missed_a_defect_does_not_count(source: Path, tmp_path: Path) -> None:
    ended, _ = await _controlled(source, tmp_path, TYPO, LOSS)
    assert (ended.review.verdict, ended.review.code) == ("ERROR", "AGENT_ERROR")
    assert ended.rate == CatchRate(2, 1, ("loss",))
    assert "1 of 2 planted defects caught; missed: loss" in ended.review.message


@pytest.mark.anyio
async def test_a_red_needs_no_control(source: Path, tmp_path: Path) -> None:
    ended, seen = await _controlled(source, tmp_path, TYPO, says="RED")
    assert (ended.review.verdict, ended.rate, seen) == ("RED", None, [])


@pytest.mark.anyio
async def test_a_control_that_no_longer_fits_is_an_error_and_no_green(source: Path, tmp_path: Path) -> None:
    ended, seen = await _controlled(source, tmp_path, Control("old", "guide/a.md", "gone", "x"))
    assert (ended.review.verdict, ended.review.code, seen) == ("ERROR", "AGENT_ERROR", [])
    assert "update its `find`" in ended.review.message


@pytest.mark.anyio
async def test_a_control_that_could_not_be_reviewed_ends_the_review_with_its_code(
    source: Path, tmp_path: Path
) -> None:
    async def review_copy(_: Path, __: Control) -> Review:
        return _review(tmp_path, "ERROR", "RATE_LIMIT")

    ended = await controlled(
        _review(tmp_path, "GREEN"),
        [TYPO],
        source=source,
        scratch=tmp_path / "scratch",
        review_copy=review_copy,
    )
    assert (ended.review.verdict, ended.review.code, ended.rate) == ("ERROR", "RATE_LIMIT", None)


@pytest.mark.parametrize("file", ["../x", "/etc/hostname", "guide/link.md", "guide", "none"])
def test_nothing_outside_of_the_copy_is_edited(file: str, source: Path) -> None:
    with pytest.raises(ControlError, match="there is no file"):
        plant(Control("out", file, "a", "b"), source)


def test_an_edit_that_is_ambiguous_or_changes_nothing_is_refused(source: Path) -> None:
    for find, replace_with in (("e", "x"), ("defined", "defined"), ("", "x")):
        with pytest.raises(ControlError):
            plant(Control("bad", "guide/a.md", find, replace_with), source)
