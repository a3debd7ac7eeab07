"""A pull request becomes an exact change, or the run says why not."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from codevetter_verify.domain.pull_request import PullSpec
from codevetter_verify.errors import NothingToVerifyError, SourceTooLargeError, SourceUnresolvedError
from codevetter_verify.service.pull import head_of_pull, resolve_pull
from oskit.git import open_repository
from support import pulls
from support.fake_github import fake_github
from support.trex import widget

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from codevetter_verify.domain.change import Change
    from support.fake_github import FakeGitHub
    from support.repos import GitRepo

pytestmark = pytest.mark.anyio

SPEC = PullSpec("github.com", "acme", "widget", 42)


@pytest.fixture
def repo(tmp_path: Path) -> GitRepo:
    made = widget(tmp_path / "widget")
    made.git("remote", "add", "origin", pulls.ORIGIN)
    return made


@pytest.fixture
def github(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeGitHub]:
    for name in ("GITHUB_TOKEN", "GH_HOST"):
        monkeypatch.delenv(name, raising=False)
    with fake_github() as served:
        monkeypatch.setenv("CODEVETTER_GITHUB_API", served.url)
        monkeypatch.setenv("GH_TOKEN", "token-of-ada")
        yield served


async def resolved(repo: GitRepo) -> Change:
    change, _ = await resolve_pull(await open_repository(repo.path), SPEC)
    return change


async def test_a_pull_request_is_its_head_against_where_it_began(repo: GitRepo, github: FakeGitHub) -> None:
    pulls.serve(github, pulls.answers(repo))
    change = await resolved(repo)
    assert (change.base_sha, change.head_sha) == (repo.resolve("main"), repo.resolve("feature"))
    assert change.merge_base_sha == repo.resolve("main")
    assert change.commits == (repo.resolve("feature"),)
    assert [file.path for file in change.files] == ["README.md", "web/src/pages/about.html"]
    assert {token for _, token in github.asked} == {"Bearer token-of-ada"}


async def test_three_hundred_commits_are_read_page_by_page(repo: GitRepo, github: FakeGitHub) -> None:
    """A pull request's own list of commits ends at 250."""
    names = [f"{number:040x}" for number in range(1, 300)] + [repo.resolve("feature")]
    pulls.serve(github, pulls.answers(repo, commits=names))
    assert (await resolved(repo)).commits == tuple(names)
    assert [page for path, page in pulls.asked(github) if path.startswith("compare/")] == [1, 2, 3]


async def test_many_files_are_read_page_by_page(repo: GitRepo, github: FakeGitHub) -> None:
    repo.write_many({f"docs/{number}.md": "x" for number in range(150)}).commit()
    pulls.serve(github, pulls.answers(repo))
    assert len((await resolved(repo)).files) == 152


async def test_a_deleted_file_is_known_as_one(repo: GitRepo, github: FakeGitHub) -> None:
    repo.remove("web/src/pages/index.html").commit()
    pulls.serve(github, pulls.answers(repo))
    files = {file.path: file.deleted for file in (await resolved(repo)).files}
    assert files["web/src/pages/index.html"] is True


async def test_gh_is_asked_where_it_is_signed_in(
    repo: GitRepo, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for name in ("GH_TOKEN", "GITHUB_TOKEN", "CODEVETTER_GITHUB_API", "GH_HOST"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("PATH", pulls.on_path(pulls.stand_in_gh(tmp_path / "bin", pulls.answers(repo))))
    assert (await resolved(repo)).head_sha == repo.resolve("feature")
    assert await head_of_pull(SPEC) == repo.resolve("feature")


@pytest.mark.parametrize(
    "remote",
    [
        "https://github.com/acme/widget",
        "https://user:secret@github.com/acme/widget.git",
        "ssh://git@ssh.github.com:443/acme/widget.git",
        "git@github.com:ACME/widget.git",
    ],
)
async def test_every_spelling_of_the_remote_is_the_repository(
    repo: GitRepo, github: FakeGitHub, remote: str
) -> None:
    repo.git("remote", "set-url", "origin", remote)
    pulls.serve(github, pulls.answers(repo))
    assert (await resolved(repo)).head_sha == repo.resolve("feature")


@pytest.mark.parametrize(
    "remote",
    [
        "https://evilgithub.com/acme/widget",
        "https://github.com.evil.example/acme/widget",
        "https://github.com/acme/other",
        "https://github.com/someone/widget",
        "git@work-alias:acme/widget.git",
        "/srv/git/widget.git",
    ],
)
async def test_a_pull_request_of_another_repository_is_refused_before_any_request(
    repo: GitRepo, github: FakeGitHub, remote: str
) -> None:
    repo.git("remote", "set-url", "origin", remote)
    with pytest.raises(SourceUnresolvedError, match="origin"):
        await resolved(repo)
    assert github.asked == []


async def test_a_name_of_the_users_ssh_configuration_counts(
    repo: GitRepo, github: FakeGitHub, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / ".ssh").mkdir()
    (tmp_path / ".ssh" / "config").write_text(
        "Host other\n  HostName x.example\nHost work\n  HostName github.com\n"
    )
    repo.git("remote", "set-url", "origin", "git@work:acme/widget.git")
    pulls.serve(github, pulls.answers(repo))
    assert (await resolved(repo)).head_sha == repo.resolve("feature")


async def test_no_remote_is_named(repo: GitRepo, github: FakeGitHub) -> None:
    repo.git("remote", "remove", "origin")
    with pytest.raises(SourceUnresolvedError, match="no remote called origin"):
        await resolved(repo)


def _broken(found: dict[str, Any], repo: GitRepo, how: str) -> None:
    compare = next(path for path in found if path.startswith("compare/"))
    if how == "short commits":
        found[compare]["total_commits"] = 2
        found[compare.replace("page=1", "page=2").replace("per_page=2", "per_page=1")] = {
            **found[compare],
            "commits": [],
        }
    elif how == "other end":
        found[compare]["commits"] = [{"sha": "1" * 40}]
    elif how == "short files":
        found["pulls/42"]["changed_files"] = 3
        found["pulls/42/files?per_page=100&page=2"] = []
    elif how == "odd form":
        found["pulls/42"] = {"number": 42}
    elif how == "another":
        found["pulls/42"]["number"] = 41
    else:
        found.pop("pulls/42")


@pytest.mark.parametrize(
    ("how", "words"),
    [
        ("short commits", "does not end at its head"),
        ("other end", "does not end at its head"),
        ("short files", "3 changed files, and 2 were listed"),
        ("odd form", "not the documented form"),
        ("another", "not the documented form"),
        ("gone", "GitHub has no"),
    ],
)
async def test_an_answer_that_is_not_whole_is_no_change(
    repo: GitRepo, github: FakeGitHub, how: str, words: str
) -> None:
    found = pulls.answers(repo)
    _broken(found, repo, how)
    pulls.serve(github, found)
    with pytest.raises(SourceUnresolvedError, match=words):
        await resolved(repo)


async def test_a_rate_limit_says_what_helps(repo: GitRepo, github: FakeGitHub) -> None:
    github.answers["/repos/acme/widget/pulls/42"] = (403, {})
    github.headers["x-ratelimit-remaining"] = "0"
    with pytest.raises(SourceUnresolvedError, match=r"rate limit.*GH_TOKEN"):
        await resolved(repo)


@pytest.mark.parametrize("what", ["commits", "files"])
async def test_a_pull_request_over_the_bounds_is_refused(
    repo: GitRepo, github: FakeGitHub, what: str
) -> None:
    found = pulls.answers(repo)
    if what == "files":
        found["pulls/42"]["changed_files"] = 501
    else:
        next(answer for path, answer in found.items() if path.startswith("compare/"))["total_commits"] = 501
    pulls.serve(github, found)
    with pytest.raises(SourceTooLargeError, match="501"):
        await resolved(repo)


async def test_a_pull_request_without_a_change_has_nothing_to_verify(
    repo: GitRepo, github: FakeGitHub
) -> None:
    pulls.serve(github, pulls.answers(repo, base="feature", head="feature"))
    with pytest.raises(NothingToVerifyError) as ended:
        await resolved(repo)
    assert ended.value.change.head_sha == repo.resolve("feature")
