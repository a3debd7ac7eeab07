"""What is checked out, what a revision means, and which branch others are compared with."""

from pathlib import Path

import pytest

from oskit.git import Head, MissingObjectError, UnknownRevisionError, open_repository
from support.repos import GitRepo

pytestmark = pytest.mark.anyio


async def test_branches_tags_and_abbreviations_resolve_to_full_commits(repo: GitRepo) -> None:
    first = repo.write("a", "1").commit()
    second = repo.write("a", "2").commit()
    repo.git("tag", "-a", "-m", "annotated", "v1", first)
    repository = await open_repository(repo.path)
    assert await repository.resolve("main") == await repository.resolve("HEAD") == second
    assert await repository.resolve("v1") == await repository.resolve("HEAD~1") == first
    assert await repository.resolve(first[:8]) == await repository.resolve(first) == first


@pytest.mark.parametrize(
    "revision",
    [
        "",
        "-x",
        "--all",
        "nope",
        "HEAD:a",
        "main..main",
        "^main",
        "a b",
        "x\ny",
        "HEAD^{tree}",
        "f" * 40,
        "x" * 5000,
        "\0",
    ],
)
async def test_what_names_no_commit_is_refused_by_name(repo: GitRepo, revision: str) -> None:
    repo.write("a", "1").commit()
    repository = await open_repository(repo.path)
    with pytest.raises(UnknownRevisionError) as caught:
        await repository.resolve(revision)
    assert caught.value.revision == revision
    assert str(repo.path) in caught.value.message
    assert len(caught.value.message) < 600


async def test_a_damaged_commit_is_not_called_unknown(repo: GitRepo) -> None:
    commit = repo.write("a", "1").commit()
    stored = repo.path / ".git" / "objects" / commit[:2] / commit[2:]
    stored.chmod(0o644)
    stored.write_bytes(b"rubbish")
    repository = await open_repository(repo.path)
    with pytest.raises(MissingObjectError, match=commit):
        await repository.resolve("main")


async def test_head_is_a_branch_a_detached_commit_or_unborn(repo: GitRepo) -> None:
    repository = await open_repository(repo.path)
    assert await repository.head() == Head("main", None)
    commit = repo.write("a", "1").commit()
    repo.branch("feature/ünï")
    assert await repository.head() == Head("feature/ünï", commit)
    repo.checkout(commit)
    assert await repository.head() == Head(None, commit)


async def test_a_tag_of_the_same_name_does_not_stand_in_for_the_branch(repo: GitRepo) -> None:
    first = repo.write("a", "1").commit()
    second = repo.write("a", "2").commit()
    repo.git("tag", "main", first)
    assert (await (await open_repository(repo.path)).head()).commit == second


async def test_the_remote_head_is_the_default_branch(repo: GitRepo, tmp_path: Path) -> None:
    commit = repo.write("a", "1").commit()
    repo.git("branch", "-m", "trunk")
    repo.git("branch", "develop")
    clone = repo.clone(tmp_path / "clone")
    clone.branch("main").write("a", "2").commit()
    default = await (await open_repository(clone.path)).default_branch()
    assert default is not None
    assert (default.ref, default.name, default.commit) == (
        "refs/remotes/origin/trunk",
        "origin/trunk",
        commit,
    )
    assert (default.fallback, default.caveats) == (False, ())


async def test_a_configured_remote_head_counts_only_when_its_branch_exists(
    repo: GitRepo, tmp_path: Path
) -> None:
    repo.write("a", "1").commit()
    repo.git("branch", "trunk")
    clone = repo.clone(tmp_path / "clone")
    clone.git("remote", "set-head", "origin", "--delete")
    repository = await open_repository(clone.path)
    clone.config("remote.origin.HEAD", "trunk")
    default = await repository.default_branch()
    assert default is not None
    assert (default.name, default.fallback) == ("origin/trunk", False)
    clone.config("remote.origin.HEAD", "absent")
    default = await repository.default_branch()
    assert default is not None
    assert (default.name, default.fallback) == ("origin/main", True)
    assert "git remote set-head origin --auto" in default.caveats[0]


async def test_a_remote_head_that_points_nowhere_falls_back(repo: GitRepo, tmp_path: Path) -> None:
    repo.write("a", "1").commit()
    clone = repo.clone(tmp_path / "clone")
    clone.git("symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/gone")
    default = await (await open_repository(clone.path)).default_branch()
    assert default is not None
    assert (default.name, default.fallback) == ("origin/main", True)


@pytest.mark.parametrize(
    ("branches", "chosen"),
    [(["main", "master", "develop"], "develop"), (["main", "master"], "main"), (["master"], "master")],
)
async def test_without_a_remote_the_first_known_name_is_a_guess_that_says_so(
    repo: GitRepo, branches: list[str], chosen: str
) -> None:
    repo.write("a", "1").commit()
    repo.git("branch", "-m", "topic")
    for branch in branches:
        repo.git("branch", branch)
    default = await (await open_repository(repo.path)).default_branch()
    assert default is not None
    assert (default.ref, default.fallback) == (f"refs/heads/{chosen}", True)
    assert chosen in default.caveats[0]
    assert default.caveats[0].endswith("; name the base if it is another one.")


async def test_nothing_known_means_no_default_branch(repo: GitRepo) -> None:
    repository = await open_repository(repo.path)
    assert await repository.default_branch() is None
    repo.write("a", "1").commit()
    repo.git("branch", "-m", "topic")
    assert await repository.default_branch() is None


async def test_a_remote_address_is_what_git_would_use(repo: GitRepo, home: Path) -> None:
    repository = await open_repository(repo.path)
    assert await repository.remote_url() is None
    repo.git("remote", "add", "origin", "gh:owner/name")
    repo.git("config", "--file", str(home / ".gitconfig"), "url.https://github.com/.insteadOf", "gh:")
    assert await repository.remote_url() == "https://github.com/owner/name"
    assert await repository.remote_url("elsewhere") is None
