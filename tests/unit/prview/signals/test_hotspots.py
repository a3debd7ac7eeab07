"""Where a change is risky, on real histories."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prview.domain.findings import Level
from prview.signals.history import history_of
from prview.signals.hotspots.analyzer import ARTIFACT, Hotspots
from prview.signals.hotspots.complexity import GUESSED, READ, complexity
from prview.signals.hotspots.score import Hotspot, Risk
from support.repos import GitRepo
from support.signal_context import of_repository, places

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.anyio

CALM = "def f():\n    return 1\n"


def _repo(folder: Path) -> GitRepo:
    """`hot.py` was repaired again and again by many; `calm.py` was written once."""
    repo = GitRepo.create(folder / "repo").write("calm.py", CALM).write("hot.py", "x = 0\n")
    repo.commit("Add both")
    for number in range(12):
        author = f"Dev {number % 5} <dev{number % 5}@example.org>"
        repo.write("hot.py", f"x = {number + 1}\n").commit(
            "Fix a crash" if number % 2 else "More", author=author
        )
    return repo.branch("topic")


async def test_a_file_with_a_bad_past_comes_before_one_without(tmp_path: Path) -> None:
    branches = "".join(f"if x == {number} and y:\n    y = {number}\n" for number in range(20))
    repo = (
        _repo(tmp_path).write("hot.py", branches * 2).write("calm.py", CALM + "x = 1\n").write("new.py", CALM)
    )
    repo.write("tests/test_hot.py", branches).write("README.md", "x\n").commit("Work")
    signal = await Hotspots().analyze(await of_repository(repo, tmp_path / "trees"))
    assert signal is not None
    rows = signal.data["files"]
    assert isinstance(rows, list)
    assert [row["path"] for row in rows if isinstance(row, dict)] == ["hot.py", "calm.py", "new.py"]
    hot = rows[0]
    assert isinstance(hot, dict)
    assert (hot["commits"], hot["fixes"], hot["authors"], hot["decisions"]) == (13, 6, 6, 80)
    assert hot["risk"] == "high"
    assert places(signal) == [("hot.py", 1, "high-risk")]
    assert signal.findings[0].level is Level.NOTE
    (artifact,) = signal.artifacts
    assert (artifact.path, "| `hot.py` | " in artifact.text) == (ARTIFACT, True)


async def test_a_renamed_file_keeps_its_past(tmp_path: Path) -> None:
    repo = _repo(tmp_path).rename("hot.py", "moved.py").write("moved.py", "x = 12\ny = 2\n")
    repo.commit("Move")
    context = await of_repository(repo, tmp_path / "trees")
    assert context.change.renames == {"hot.py": "moved.py"}
    signal = await Hotspots().analyze(context)
    assert signal is not None
    assert "| `moved.py` |" in signal.artifacts[0].text
    assert "| 13 | 6 | 6 |" in signal.artifacts[0].text


async def test_a_change_of_documents_and_tests_is_silent(tmp_path: Path) -> None:
    repo = _repo(tmp_path).write("README.md", "x\n").write("tests/test_a.py", "x = 1\n")
    repo.commit("Docs")
    assert await Hotspots().analyze(await of_repository(repo, tmp_path / "trees")) is None


async def test_a_shallow_clone_says_that_its_past_is_cut(tmp_path: Path) -> None:
    repo = _repo(tmp_path).write("hot.py", "x = 99\n")
    repo.commit("Work")
    clone = GitRepo(tmp_path / "clone")
    repo.git("clone", "-q", "--depth=3", "--no-local", "--branch=topic", str(repo.path), str(clone.path))
    clone.git("branch", "main", "HEAD~1")
    context = await of_repository(clone, tmp_path / "trees")
    signal = await Hotspots().analyze(context)
    assert signal is not None
    assert "the clone is shallow: older commits are unknown" in signal.artifacts[0].text
    assert (await history_of(context)).problem is not None


@pytest.mark.parametrize(
    ("path", "text", "expected"),
    [
        (
            "a.py",
            "if a and b or c:\n    pass\nfor x in [y for y in z if y]:\n    x = 1 if x else 2\n",
            (6, READ),
        ),
        ("a.py", "not python\n" + "    x\n" * 30, (3, GUESSED)),
        ("a.ts", "if (a && b) {} for (const x of y) {} const z = a ? b : c ?? d;", (5, READ)),
        ("a.go", "package a\nfunc f() { if a || b { for { switch x { case 1: } } } }\n", (4, READ)),
        ("a.rs", "fn f() { if a && b {} match x { 1 => 2, _ => 3 }; g()?; }\n", (5, READ)),
        ("a.java", "        x\n" * 10, (2, GUESSED)),
        ("a.md", "if x", None),
    ],
)
def test_decisions_are_counted(path: str, text: str, expected: tuple[int, str] | None) -> None:
    assert complexity(path, text) == expected


def test_scores_have_words() -> None:
    worst = Hotspot("a", lines=900, commits=90, fixes=30, authors=9, share=0.2, decisions=60)
    assert (worst.score, worst.risk) == (100, Risk.HIGH)
    assert Hotspot("a", lines=1).risk is Risk.LOW
    assert (
        Hotspot("a", lines=120, commits=20, fixes=2, authors=2, share=0.6, decisions=4).risk is Risk.ELEVATED
    )


@given(st.integers(0, 10**6), st.integers(0, 10**6), st.integers(0, 10**6), st.integers(-100, 10**4))
def test_a_score_stays_in_its_bounds_and_never_falls_with_more_fixes(
    lines: int, commits: int, fixes: int, decisions: int
) -> None:
    score = Hotspot("a", lines=lines, commits=commits, fixes=fixes, decisions=decisions).score
    assert 0 <= score <= 100
    assert Hotspot("a", lines=lines, commits=commits, fixes=fixes + 1, decisions=decisions).score >= score
