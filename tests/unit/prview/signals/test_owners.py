"""Owners by GitHub's rules, reviewers by the past."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest

from prview.domain.findings import Level
from prview.signals.history import Past
from prview.signals.owners.analyzer import ARTIFACT, Owners
from prview.signals.owners.codeowners import parse_codeowners
from prview.signals.owners.reviewers import suggest
from support.repos import GitRepo
from support.signal_context import of_repository, places

if TYPE_CHECKING:
    from pathlib import Path

    from prview.domain.signals import Signal

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize(
    ("pattern", "matching", "others"),
    [
        ("*", ["a", "a/b/c.js"], []),
        ("*.js", ["a.js", "x/a.js"], ["a.jsx", "js"]),
        ("/build/logs/", ["build/logs/a", "build/logs/b/c"], ["x/build/logs/a", "build/logs"]),
        ("docs/*", ["docs/a.md"], ["docs/build/a.md", "x/docs/a.md"]),
        ("apps/", ["apps/a", "x/apps/a/b"], ["apps", "myapps/a"]),
        ("/apps/github", ["apps/github", "apps/github/a"], ["apps/githubs", "x/apps/github"]),
        ("**/logs", ["logs/a", "build/logs", "x/y/logs/z"], ["catalogs"]),
        ("a/**/b", ["a/b", "a/x/y/b", "a/x/b/c"], ["ab", "a/xb"]),
        ("/scripts/**", ["scripts/a", "scripts/a/b"], ["x/scripts/a"]),
        ("a?c", ["abc", "x/abc/d"], ["a/c", "ac"]),
        (r"with\ space.md", ["with space.md"], ["with"]),
        ("(x)+.js", ["(x)+.js"], ["x.js", "xx.js"]),
    ],
)
def test_patterns_are_githubs(pattern: str, matching: list[str], others: list[str]) -> None:
    rules = parse_codeowners(f"{pattern} @me\n")
    assert {path: rules.owners(path) for path in matching} == dict.fromkeys(matching, ("@me",))
    assert {path: rules.owners(path) for path in others} == dict.fromkeys(others, ())


def test_the_last_match_wins_and_may_leave_nobody() -> None:
    rules = parse_codeowners("# all\n* @all  # everything\n/src @org/team dev@example.org\n/src/free\n")
    assert rules.owners("README") == ("@all",)
    assert rules.owners("src/a") == ("@org/team", "dev@example.org")
    assert rules.owners("src/free/a") == ()


def test_lines_that_github_skips_are_named() -> None:
    rules = parse_codeowners("!a @x\n[ab] @x\nc notanowner\nd @ok\n\\#e @x\n")
    assert rules.refused == (1, 2, 3, 5)
    assert [rule.pattern for rule in rules.rules] == ["d"]


NOW = datetime(2026, 11, 30, tzinfo=UTC)


def _past(who: str, *, days: int, lines: int = 10, sha: str = "1") -> Past:
    return Past(sha, who.title(), f"{who}@example.org", NOW - timedelta(days=days), "x", lines)


def test_reviewers_are_those_who_lately_changed_most() -> None:
    history = {
        "a": [_past("ada", days=1, lines=40), _past("old", days=2000, lines=900), _past("me", days=1)],
        "b": [
            _past("bob", days=30, lines=5, sha="2"),
            _past("ada", days=90, sha="3"),
            _past("renovate", days=1),
        ],
    }
    people = suggest(history, authors={"me@example.org"}, now=NOW)
    assert [(person.name, person.files, person.commits) for person in people] == [
        ("Ada", 2, 2),
        ("Bob", 1, 1),
        ("Old", 1, 1),
    ]


def _repo(folder: Path, *, owners: str | None = "*.py @org/python\n/docs/ @org/docs\n") -> GitRepo:
    repo = (
        GitRepo.create(folder / "repo")
        .write("a.py", "x = 1\n")
        .write("docs/a.md", "x\n")
        .write("b.txt", "x\n")
    )
    if owners is not None:
        repo.write(".github/CODEOWNERS", owners)
    repo.commit("one", author="Ada <ada@example.org>")
    return repo.branch("topic")


async def _said(repo: GitRepo, folder: Path) -> Signal | None:
    return await Owners().analyze(await of_repository(repo, folder / "trees"))


async def test_changed_files_are_matched_and_those_who_know_them_named(tmp_path: Path) -> None:
    repo = _repo(tmp_path).write("a.py", "x = 2\n").write("b.txt", "y\n").write("docs/new.md", "n\n")
    repo.commit("two", author="Me <me@example.org>")
    signal = await _said(repo, tmp_path)
    assert signal is not None
    assert signal.data["owners"] == {"@org/docs": 1, "@org/python": 1}
    assert signal.data["unowned"] == ["b.txt"]
    assert signal.data["reviewers"] == [{"name": "Ada", "email": "ada@example.org", "files": 2, "commits": 1}]
    assert signal.findings == ()
    assert signal.artifacts[0].path == ARTIFACT
    assert "- `Ada` `ada@example.org`: 1 commit in 2 changed files" in signal.artifacts[0].text


async def test_a_branch_cannot_choose_its_own_owners(tmp_path: Path) -> None:
    repo = _repo(tmp_path).write("a.py", "x = 2\n").write(".github/CODEOWNERS", "* @me\nbroken\\ x nobody\n")
    repo.commit("two", author="Me <me@example.org>")
    signal = await _said(repo, tmp_path)
    assert signal is not None
    assert signal.data["owners"] == {"@org/python": 1}
    assert places(signal) == [
        (".github/CODEOWNERS", 1, "owners-changed"),
        (".github/CODEOWNERS", 2, "owners-unreadable"),
    ]
    assert {finding.level for finding in signal.findings} == {Level.WARNING}


async def test_without_owners_and_without_a_past_there_is_nothing_to_say(tmp_path: Path) -> None:
    repo = _repo(tmp_path, owners=None).write("new.py", "x = 1\n")
    repo.commit("two", author="Me <me@example.org>")
    assert await _said(repo, tmp_path) is None
