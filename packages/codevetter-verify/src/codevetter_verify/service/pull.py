"""Resolves a pull request to an exact change: what it is, GitHub says; what lies in it, git reads."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, TypeVar

import anyio

from codevetter_verify.domain.change import MAX_COMMITS, MAX_FILES, Change
from codevetter_verify.domain.pull_request import (
    GITHUB,
    PAGE,
    PullFacts,
    PullSpec,
    read_comparison,
    read_files,
    read_pull,
    read_tree,
)
from codevetter_verify.errors import NothingToVerifyError, SourceTooLargeError, SourceUnresolvedError
from oskit.git import GitError
from oskit.github import GitHub, GitHubError, HostedRepository, hosted, ssh_host_name

if TYPE_CHECKING:
    from codevetter_verify.domain.change import ChangedFile
    from oskit.git import Repository

API_VARIABLE = "CODEVETTER_GITHUB_API"
HOST_VARIABLE = "GH_HOST"
T = TypeVar("T")


def known_hosts() -> tuple[str, ...]:
    """The hosts whose pull requests are read: GitHub, and the Enterprise host that `gh` is set up for."""
    configured = os.environ.get(HOST_VARIABLE, "").strip().lower()
    return tuple(dict.fromkeys((GITHUB, configured))) if configured else (GITHUB,)


async def resolve_pull(repository: Repository, spec: PullSpec) -> tuple[Change, PullFacts]:
    """The change that the pull request is now, its lists complete.

    Raises `SourceUnresolvedError`, `NothingToVerifyError` and `SourceTooLargeError`.
    """
    await _require_origin(repository, spec)
    github = _github(spec)
    try:
        facts = await _facts(github, spec)
        _check_size(facts, spec)
        merge_base, commits = await _commits(github, facts, spec)
        files = await _files(github, facts, spec)
    except GitHubError as exc:
        raise _unresolved(spec, exc) from exc
    change = Change(facts.base, facts.head, merge_base, commits, files)
    if not commits or not files:
        raise NothingToVerifyError(f"{spec.words} changes nothing", change)
    return change, facts


async def head_of_pull(spec: PullSpec) -> str:
    """What the pull request's head is now; raises `SourceUnresolvedError`."""
    try:
        return (await _facts(_github(spec), spec)).head
    except GitHubError as exc:
        raise _unresolved(spec, exc) from exc


async def tree_of_pull(spec: PullSpec, head: str) -> frozenset[str]:
    """The paths at the head, as GitHub lists them; none when it does not."""
    try:
        return read_tree(await _github(spec).get(f"git/trees/{head}?recursive=1"))
    except GitHubError:
        return frozenset()


async def origin_of(repository: Repository) -> HostedRepository:
    """The GitHub repository that `origin` names; raises `SourceUnresolvedError`."""
    try:
        url = await repository.remote_url()
    except GitError as exc:
        raise SourceUnresolvedError(f"{exc.message} ({exc.hint})") from exc
    if url is None:
        raise SourceUnresolvedError(
            "the repository has no remote called origin; add it with `git remote add origin URL`"
        )
    found = hosted(url)
    if found is None:
        raise SourceUnresolvedError(
            "the remote origin is no address of a GitHub repository; name the range with --range"
        )
    return await _canonical(found)


async def _canonical(found: HostedRepository) -> HostedRepository:
    """The same repository by the real name of its host, where the user's ssh knows it by another."""
    if found.host in known_hosts() or not found.by_ssh:
        return found
    configuration = await anyio.Path("~/.ssh/config").expanduser()
    try:
        text = await configuration.read_text("utf-8", "replace")
    except OSError:
        return found
    real = ssh_host_name(text, found.host)
    return HostedRepository(real, found.owner, found.name) if real in known_hosts() else found


async def _require_origin(repository: Repository, spec: PullSpec) -> None:
    origin = await origin_of(repository)
    if not origin.is_same(HostedRepository(spec.host, spec.owner, spec.name)):
        raise SourceUnresolvedError(
            f"{spec.words} ({spec.host}) is not of this repository, whose origin is "
            f"{origin.slug} on {origin.host}"
        )


async def _facts(github: GitHub, spec: PullSpec) -> PullFacts:
    return _read(read_pull(await github.get(f"pulls/{spec.number}"), spec))


async def _commits(github: GitHub, facts: PullFacts, spec: PullSpec) -> tuple[str, tuple[str, ...]]:
    """Merge base and commits. A pull request's own list ends at 250; the comparison goes on page by page."""
    found: list[str] = []
    page = 1
    while True:
        where = f"compare/{facts.base}...{facts.head}?per_page={PAGE}&page={page}"
        part = _read(read_comparison(await github.get(where)))
        if part.total > MAX_COMMITS:
            raise _too_large(spec, part.total, MAX_COMMITS, "commits")
        found += part.commits
        if len(found) >= part.total or not part.commits:
            break
        page += 1
    if len(found) != part.total or (found and found[-1] != facts.head):
        raise GitHubError("its list of commits does not end at its head: it changed meanwhile", "try again")
    return part.merge_base, tuple(found)


async def _files(github: GitHub, facts: PullFacts, spec: PullSpec) -> tuple[ChangedFile, ...]:
    found: list[ChangedFile] = []
    for page in range(1, MAX_FILES // PAGE + 2):
        part = _read(read_files(await github.get(f"pulls/{spec.number}/files?per_page={PAGE}&page={page}")))
        found += part
        if len(found) >= facts.files or not part:
            break
    if len(found) != facts.files:
        raise GitHubError(
            f"it has {facts.files} changed files, and {len(found)} were listed: it changed meanwhile",
            "try again",
        )
    return tuple(found)


def _check_size(facts: PullFacts, spec: PullSpec) -> None:
    if facts.files > MAX_FILES:
        raise _too_large(spec, facts.files, MAX_FILES, "changed paths")


def _too_large(spec: PullSpec, count: int, most: int, what: str) -> SourceTooLargeError:
    return SourceTooLargeError(f"{spec.words} has {count} {what}; at most {most} are verified in one run")


def _github(spec: PullSpec) -> GitHub:
    repository = HostedRepository(spec.host, spec.owner, spec.name)
    return GitHub(repository, api=os.environ.get(API_VARIABLE) or None)


def _read(found: T | None) -> T:
    if found is None:
        raise GitHubError("its answer has not the documented form", "try again")
    return found


def _unresolved(spec: PullSpec, exc: GitHubError) -> SourceUnresolvedError:
    return SourceUnresolvedError(f"{spec.words} could not be resolved: {exc.message} ({exc.hint})")
