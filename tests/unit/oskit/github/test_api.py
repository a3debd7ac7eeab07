"""Answers of GitHub, and what is said when there is none."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from oskit.github import GitHub, GitHubError, HostedRepository, way_to_ask
from support import pulls
from support.fake_github import fake_github

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from support.fake_github import FakeGitHub

pytestmark = pytest.mark.anyio

WIDGET = HostedRepository("github.com", "acme", "widget")
PATH = "/repos/acme/widget/x"


@pytest.fixture
def github(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeGitHub]:
    for name in ("GH_TOKEN", "GITHUB_TOKEN"):
        monkeypatch.delenv(name, raising=False)
    with fake_github() as served:
        yield served


async def test_a_token_is_sent_where_there_is_one(
    github: FakeGitHub, monkeypatch: pytest.MonkeyPatch
) -> None:
    github.answers[PATH] = (200, {"a": 1})
    assert await GitHub(WIDGET, api=github.url).get("x") == {"a": 1}
    monkeypatch.setenv("GITHUB_TOKEN", "secret")
    await GitHub(WIDGET, api=github.url).get("x")
    assert [token for _, token in github.asked] == [None, "Bearer secret"]


@pytest.mark.parametrize(
    ("status", "body", "words"),
    [
        (404, {}, "GitHub has no repos/acme/widget/x, or it is private"),
        (500, {}, "HTTP 500"),
        (200, b"<html>", "is not JSON"),
        (200, b"[" * 100_000, "is not JSON"),
        (200, b'"' + b"x" * (8 * 1024 * 1024) + b'"', "larger than 8 MiB"),
    ],
)
async def test_an_answer_that_is_none_is_named(
    github: FakeGitHub, status: int, body: object, words: str
) -> None:
    github.answers[PATH] = (status, body)
    with pytest.raises(GitHubError, match=words):
        await GitHub(WIDGET, api=github.url).get("x")


def test_the_way_to_ask_is_known_beforehand(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("GH_TOKEN", "GITHUB_TOKEN"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert way_to_ask() == "anonymously"
    folder = pulls.stand_in_gh(tmp_path / "bin", {})
    monkeypatch.setenv("PATH", str(folder))
    assert way_to_ask() == f"through {folder / 'gh'}"
    monkeypatch.setenv("GH_TOKEN", "secret")
    assert way_to_ask() == "with a token"


@pytest.mark.parametrize("api", ["http://api.example", "ftp://127.0.0.1", "http://127.0.0.1.example"])
async def test_nothing_is_asked_in_the_clear_elsewhere(api: str) -> None:
    with pytest.raises(GitHubError, match="neither https nor an address of this machine"):
        await GitHub(WIDGET, api=api).get("x")


async def test_nobody_there_is_said(github: FakeGitHub) -> None:
    with pytest.raises(GitHubError, match="did not answer"):
        await GitHub(WIDGET, api="http://127.0.0.1:9").get("x")
    assert github.asked == []


async def test_gh_answers_and_its_failures_are_its_own_words(
    github: FakeGitHub, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", pulls.on_path(pulls.stand_in_gh(tmp_path / "bin", {"x": [1]})))
    assert await GitHub(WIDGET).get("x") == [1]
    with pytest.raises(GitHubError, match=r"gh said: gh: Not Found \(HTTP 404\)"):
        await GitHub(WIDGET).get("y")
    assert github.asked == []


async def test_a_gh_that_nobody_is_signed_in_to_is_passed_over(
    github: FakeGitHub, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The public API answers for public repositories all the same."""
    monkeypatch.setenv("PATH", pulls.on_path(pulls.stand_in_gh(tmp_path / "bin", {}, signed_out=True)))
    monkeypatch.setattr(HostedRepository, "api", github.url)
    github.answers[PATH] = (200, [1])
    assert await GitHub(WIDGET).get("x") == [1]
