"""What is reviewed: origin's branches and pull requests, and every reason not to review."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from support.fake_github import FakeGitHub, behind_ssh, fake_github
from support.prview_project import Outcome, prview, review
from support.repos import GitRepo, snapshot

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path


@pytest.fixture
def upstream(tmp_path: Path) -> GitRepo:
    """A repository with one commit on main and one on topic."""
    repo = GitRepo.create(tmp_path / "upstream").write("a.txt", "one\n")
    repo.commit("base")
    repo.branch("topic").write("b.txt", "two\n").commit("on topic")
    return repo.checkout("main")


@pytest.fixture
def clone(upstream: GitRepo, tmp_path: Path) -> GitRepo:
    """A clone that knows both."""
    return upstream.clone(tmp_path / "clone")


@pytest.fixture
def github() -> Iterator[FakeGitHub]:
    """A GitHub of our own."""
    with fake_github() as server:
        yield server


def files(done: Outcome) -> list[str]:
    return [file["path"] for file in done.stored("report.json")["files"]]


def refused(repo: GitRepo, home: Path, *words: str, env: Mapping[str, str] | None = None) -> dict[str, str]:
    """The error of a review that must not be made; the gate says so in its own way."""
    done = prview("review", *words, "--quick", "--json", "--quiet", home=home, repo=repo.path, env=env)
    assert (done.code, done.json["error_class"]) == (2, "run_failed"), done
    gate = prview("gate", *words, home=home, repo=repo.path, env=env)
    assert (gate.code, gate.stdout) == (3, ""), gate
    assert "Usage:" not in gate.stderr
    said: dict[str, str] = done.json
    return said


# --- origin's branches --------------------------------------------------------------------------------------


def test_origins_branch_is_reviewed_as_it_was_last_fetched(
    clone: GitRepo, upstream: GitRepo, home: Path
) -> None:
    upstream.checkout("topic").write("c.txt", "three\n").commit("later")
    clone.git("checkout", "-q", "-b", "topic", "--track", "origin/topic")
    clone.write("local.txt", "only here\n").commit("local")
    before = snapshot(clone.path)
    done = review(clone, "--remote", "--quick", home=home)
    for words in (("topic",), ("origin/topic",)):
        assert files(done) == ["b.txt"]
        done = review(clone, *words, "--remote", "--quick", home=home)
    assert files(done) == ["b.txt"]
    run = done.stored("00_summary/RUN.json")
    assert (run["target"], run["commit"]) == ("origin/topic", clone.resolve("origin/topic"))
    assert snapshot(clone.path) == before


def test_origin_is_asked_first_only_with_fetch_and_the_clone_stays_as_it_is(
    clone: GitRepo, upstream: GitRepo, home: Path
) -> None:
    main = upstream.write("m.txt", "m\n").commit("main moved")
    topic = upstream.checkout("topic").write("c.txt", "three\n").commit("later")
    before = snapshot(clone.path)
    done = review(clone, "topic", "--remote", "--fetch", "--quick", home=home)
    run = done.stored("00_summary/RUN.json")
    assert (files(done), run["commit"]) == (["b.txt", "c.txt"], topic)
    assert run["bases"] == [{"ref": "origin/main", "commit": main}]
    assert snapshot(clone.path) == before


def test_a_base_is_brought_up_to_date_for_a_local_branch(
    clone: GitRepo, upstream: GitRepo, home: Path
) -> None:
    main = upstream.write("m.txt", "m\n").commit("main moved")
    clone.branch("mine").write("x.txt", "x\n").commit("mine")
    done = review(clone, "--fetch", "--quick", home=home)
    assert files(done) == ["x.txt"]
    assert done.stored("00_summary/RUN.json")["bases"] == [{"ref": "origin/main", "commit": main}]


def test_without_an_origin_nobody_is_sent_to_fetch_from_it(upstream: GitRepo, home: Path) -> None:
    said = refused(upstream, home, "topic", "--remote")
    assert said["message"].startswith("there is no remote called origin (add it with `git remote add")


def test_a_mistyped_command_is_told_from_a_revision(clone: GitRepo, home: Path) -> None:
    assert "did you mean the command `prview state`?" in refused(clone, home, "staet")["message"]
    assert "did you mean" not in refused(clone, home, "feature/no-such-thing")["message"]


def test_two_modes_at_once_are_a_usage_error(clone: GitRepo, home: Path) -> None:
    done = prview("review", "topic", "--quick", "--deep", home=home, repo=clone.path)
    assert done.code == 2
    assert "--quick and --deep" in done.stderr


def test_a_remote_branch_that_is_not_here_is_refused_with_the_way_out(clone: GitRepo, home: Path) -> None:
    said = refused(clone, home, "nothing", "--remote")
    assert said["message"].startswith("origin/nothing is not known here")
    assert "--fetch" in said["message"]


def test_a_detached_head_has_no_branch_at_origin(clone: GitRepo, home: Path) -> None:
    clone.checkout(clone.head)
    assert "HEAD is detached" in refused(clone, home, "--remote")["message"]


def test_a_fetch_that_fails_gives_gits_words_and_no_review(
    clone: GitRepo, upstream: GitRepo, home: Path
) -> None:
    said = refused(clone, home, "nothing", "--remote", "--fetch")
    assert "couldn't find remote ref refs/heads/nothing" in said["message"]
    upstream.path.rename(upstream.path.with_name("gone"))
    assert "failed" in refused(clone, home, "topic", "--remote", "--fetch")["message"]


def test_without_a_remote_there_is_nothing_to_fetch(upstream: GitRepo, home: Path) -> None:
    said = refused(upstream, home, "topic", "--fetch")
    assert said["message"] == "there is nothing to fetch: neither target nor base is a branch of origin"


# --- pull requests ------------------------------------------------------------------------------------------


def test_a_pull_request_that_is_here_needs_no_fetch(clone: GitRepo, github: FakeGitHub, home: Path) -> None:
    head, base = clone.resolve("origin/topic"), clone.resolve("origin/main")
    clone.git("remote", "set-url", "origin", "git@github.com:acme/shop.git")
    github.pull(7, head=head, base=base)
    done = review(clone, "--pr", "7", "--quick", home=home, env=github.environment)
    run = done.stored("00_summary/RUN.json")
    assert (run["target"], run["commit"], run["bases"]) == ("pull/7", head, [{"ref": "main", "commit": base}])
    assert github.asked == [("/repos/acme/shop/pulls/7", "Bearer token-of-ada")]
    told = (done.pack / "00_summary/pr-metadata.txt").read_text()
    assert "pull-request: 7\ntitle: Add multiplication\nauthor: ada\n" in told


def test_a_pull_request_from_a_fork_is_fetched_beside_the_repository(
    clone: GitRepo, upstream: GitRepo, github: FakeGitHub, home: Path
) -> None:
    head = upstream.checkout("topic").write("c.txt", "three\n").commit("of the fork")
    base = upstream.resolve("main")
    upstream.git("update-ref", "refs/pull/8/head", head)
    behind_ssh(clone, upstream, home)
    github.pull(8, head=head, base=base)
    before = snapshot(clone.path)
    done = review(clone, "--pr", "8", "--quick", home=home, env=github.environment)
    assert files(done) == ["b.txt", "c.txt"]
    assert snapshot(clone.path) == before
    assert [path.suffix for path in (home / "prview/fetched").iterdir()] == [".git"]


def test_code_of_a_pull_request_does_not_run(clone: GitRepo, github: FakeGitHub, home: Path) -> None:
    clone.branch("evil").write("test_x.py", "def test_x():\n    open('/nonexistent/x')\n")
    head = clone.write("pyproject.toml", "[project]\nname='x'\nversion='0'\n").commit("tests")
    clone.checkout("main").git("remote", "set-url", "origin", "https://github.com/acme/shop")
    github.pull(9, head=head, base=clone.head)
    done = review(clone, "--pr", "9", home=home, env=github.environment)
    assert done.gate("pytest")["status"] == "SKIPPED"
    assert done.json["verdict"] == "CONDITIONAL"


def test_a_pull_request_that_moved_meanwhile_is_refused(
    clone: GitRepo, upstream: GitRepo, github: FakeGitHub, home: Path
) -> None:
    upstream.git("update-ref", "refs/pull/8/head", upstream.resolve("topic"))
    behind_ssh(clone, upstream, home)
    github.pull(8, head="a" * 40, base=upstream.resolve("main"))
    said = refused(clone, home, "--pr", "8", env=github.environment)
    assert "changed while it was fetched" in said["message"]


@pytest.mark.parametrize(
    ("status", "answer", "headers", "words"),
    [
        (404, {}, {}, "there is no such pull request (HTTP 404)"),
        (403, {}, {"X-RateLimit-Remaining": "0"}, "rate limit is used up"),
        (401, {}, {}, "HTTP 401"),
        (302, {}, {"Location": "http://192.0.2.1/"}, "HTTP 302"),
        (200, b"<html>", {}, "not the documented form"),
        (200, {"number": 7, "head": {"sha": "--upload-pack=x"}}, {}, "not the documented form"),
        (200, b"x" * (5 * 1024 * 1024), {}, "larger than 4 MiB"),
    ],
    ids=["missing", "limited", "unauthorized", "elsewhere", "no-json", "no-commit", "huge"],
)
def test_what_github_does_not_say_is_no_review(
    clone: GitRepo, github: FakeGitHub, home: Path,
    status: int, answer: object, headers: dict[str, str], words: str,
) -> None:  # fmt: skip
    clone.git("remote", "set-url", "origin", "https://github.com/acme/shop")
    github.answers["/repos/acme/shop/pulls/7"] = (status, answer)
    github.headers = headers
    said = refused(clone, home, "--pr", "7", env=github.environment)
    assert words in said["message"]


def test_a_token_does_not_travel_in_the_clear(clone: GitRepo, home: Path) -> None:
    clone.git("remote", "set-url", "origin", "https://github.com/acme/shop")
    env = {"PRVIEW_GITHUB_API": "http://192.0.2.1", "GH_TOKEN": "x"}
    assert "neither https" in refused(clone, home, "--pr", "7", env=env)["message"]


def test_without_a_token_gh_is_asked(clone: GitRepo, home: Path, tmp_path: Path) -> None:
    clone.git("remote", "set-url", "origin", "https://github.com/acme/shop")
    head, base = clone.resolve("origin/topic"), clone.resolve("origin/main")
    answer = (
        f'{{"number":7,"title":"T","url":"u","author":{{"login":"a"}},"headRefOid":"{head}",'
        f'"baseRefOid":"{base}","baseRefName":"main"}}'
    )
    gh = tmp_path / "bin/gh"
    gh.parent.mkdir()
    gh.write_text(f"#!/bin/sh\necho \"$@\" > '{tmp_path}/asked'\necho '{answer}'\n")
    gh.chmod(0o755)
    path = f"{gh.parent}:/usr/bin:/bin"
    env = {"GH_TOKEN": "", "GITHUB_TOKEN": ""}
    done = review(clone, "--pr", "7", "--quick", home=home, path=path, env=env)
    assert files(done) == ["b.txt"]
    assert (tmp_path / "asked").read_text().startswith("pr view 7 --repo acme/shop --json number,title,")
    gh.write_text("#!/bin/sh\necho 'gh auth login first' >&2\nexit 4\n")
    done = prview("review", "--pr", "7", "--json", "--quiet", home=home, repo=clone.path, path=path, env=env)
    assert "gh said: gh auth login first" in done.json["message"]


def test_a_remote_that_is_no_github_has_no_pull_requests(
    clone: GitRepo, upstream: GitRepo, home: Path
) -> None:
    assert "no address of a GitHub repository" in refused(clone, home, "--pr", "7")["message"]
    assert "no remote called origin" in refused(upstream, home, "--pr", "7")["message"]
    assert "names its own branch" in refused(clone, home, "topic", "--pr", "7")["message"]
