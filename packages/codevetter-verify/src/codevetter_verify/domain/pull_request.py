"""A pull request: how it is named, and what GitHub says of it (pure)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from codevetter_verify.domain.change import ChangedFile
from codevetter_verify.errors import InvalidInputError

if TYPE_CHECKING:
    from collections.abc import Sequence

GITHUB = "github.com"
PAGE = 100
"""Entries of one page of a list: GitHub's most."""

_ADDRESS = re.compile(
    r"https://(?P<host>[a-z0-9.-]+)/(?P<owner>[A-Za-z0-9._-]{1,100})/(?P<name>[A-Za-z0-9._-]{1,100})"
    r"/pull/(?P<number>[1-9][0-9]{0,9})"
)
_COMMIT = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
_EXAMPLE = "for example https://github.com/acme/widget/pull/42"


@dataclass(frozen=True, slots=True)
class PullSpec:
    """A pull request as it was named."""

    host: str
    owner: str
    name: str
    number: int

    @property
    def address(self) -> str:
        """The one address that is accepted for it."""
        return f"https://{self.host}/{self.owner}/{self.name}/pull/{self.number}"

    @property
    def words(self) -> str:
        """For people."""
        return f"pull request {self.number} of {self.owner}/{self.name}"


@dataclass(frozen=True, slots=True)
class PullFacts:
    """What GitHub says of it now. `commits` and `files` are counts; `merge` is its own trial merge."""

    head: str
    base: str
    commits: int
    files: int
    merge: str | None = None


@dataclass(frozen=True, slots=True)
class Comparison:
    """A page of the commits from base to head, oldest first."""

    merge_base: str
    total: int
    commits: tuple[str, ...]


def parse_pull_request(text: str, *, hosts: Sequence[str] = (GITHUB,)) -> PullSpec:
    """Read one canonical address; raise `InvalidInputError` naming the rule. `hosts` are those that count."""
    found = _ADDRESS.fullmatch(text)
    if found is None or {found["owner"], found["name"]} & {".", ".."}:
        raise InvalidInputError(
            f"the pull request (--pr, or source.value of a tool call) is no canonical address: {_EXAMPLE}",
            field="source.value",
        )
    if found["host"] not in hosts:
        raise InvalidInputError(
            f"the pull request is on {found['host']}, not on {' or '.join(hosts)}: {_EXAMPLE}",
            hint="for a GitHub Enterprise host set GH_HOST to it",
            field="source.value",
        )
    return PullSpec(found["host"], found["owner"], found["name"], int(found["number"]))


def read_pull(answer: object, spec: PullSpec) -> PullFacts | None:
    """`GET /pulls/N`; None when it has not the documented form or is of another pull request."""
    head, base = _at(answer, "head", "sha"), _at(answer, "base", "sha")
    counts = _at(answer, "commits"), _at(answer, "changed_files")
    if _at(answer, "number") != spec.number or not (_is_commit(head) and _is_commit(base)):
        return None
    if not all(isinstance(count, int) and not isinstance(count, bool) for count in counts):
        return None
    merge = _at(answer, "merge_commit_sha")
    return PullFacts(head, base, *counts, merge if _is_commit(merge) else None)


def read_comparison(answer: object) -> Comparison | None:
    """`GET /compare/BASE...HEAD`; None when it has not the documented form."""
    merge_base, total = _at(answer, "merge_base_commit", "sha"), _at(answer, "total_commits")
    commits = _at(answer, "commits")
    if not _is_commit(merge_base) or not isinstance(total, int) or not isinstance(commits, list):
        return None
    names = tuple(_at(commit, "sha") for commit in commits)
    return Comparison(merge_base, total, names) if all(map(_is_commit, names)) else None


def read_files(answer: object) -> tuple[ChangedFile, ...] | None:
    """`GET /pulls/N/files`; None when it has not the documented form."""
    if not isinstance(answer, list):
        return None
    named = [(_at(entry, "filename"), _at(entry, "status")) for entry in answer]
    if not all(isinstance(name, str) and name and isinstance(status, str) for name, status in named):
        return None
    return tuple(ChangedFile(name, deleted=status == "removed") for name, status in named)


def read_tree(answer: object) -> frozenset[str]:
    """The files of `GET /git/trees/SHA?recursive=1`, as many as it lists."""
    entries = _at(answer, "tree")
    listed = entries if isinstance(entries, list) else []
    paths = (_at(entry, "path") for entry in listed if _at(entry, "type") == "blob")
    return frozenset(path for path in paths if isinstance(path, str))


def _is_commit(value: object) -> bool:
    return isinstance(value, str) and _COMMIT.fullmatch(value) is not None


def _at(value: Any, *names: str) -> Any:  # noqa: ANN401 - JSON
    for name in names:
        value = value.get(name) if isinstance(value, dict) else None
    return value
