"""A pull request as GitHub tells of it. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

_COMMIT = re.compile(r"^[0-9a-f]{40}(?:[0-9a-f]{24})?$")


@dataclass(frozen=True)
class PullRequest:
    """What is reviewed: `head` and `base` are full commit ids, `base_ref` the branch it shall go to."""

    number: int
    title: str
    url: str
    author: str
    head: str
    base: str
    base_ref: str


def from_rest(answer: object) -> PullRequest | None:
    """Read the REST API's answer; None when it has not the documented form."""
    return _read(
        {
            "number": _at(answer, "number"),
            "title": _at(answer, "title"),
            "url": _at(answer, "html_url"),
            "author": _at(answer, "user", "login"),
            "head": _at(answer, "head", "sha"),
            "base": _at(answer, "base", "sha"),
            "base_ref": _at(answer, "base", "ref"),
        }
    )


GH_FIELDS = "number,title,url,author,headRefOid,baseRefOid,baseRefName"


def from_gh(answer: object) -> PullRequest | None:
    """Read what `gh pr view --json` prints with GH_FIELDS; None when it has another form."""
    return _read(
        {
            "number": _at(answer, "number"),
            "title": _at(answer, "title"),
            "url": _at(answer, "url"),
            "author": _at(answer, "author", "login"),
            "head": _at(answer, "headRefOid"),
            "base": _at(answer, "baseRefOid"),
            "base_ref": _at(answer, "baseRefName"),
        }
    )


def _at(value: object, *names: str) -> object:
    for name in names:
        value = value.get(name) if isinstance(value, Mapping) else None
    return value


def _read(said: Mapping[str, object]) -> PullRequest | None:
    number, words = said["number"], {name: value for name, value in said.items() if isinstance(value, str)}
    author = words.get("author", "")  # a deleted account has no name
    if not isinstance(number, int) or {"title", "url", "head", "base", "base_ref"} - words.keys():
        return None
    if not (_COMMIT.match(words["head"]) and _COMMIT.match(words["base"])) or not words["base_ref"]:
        return None
    return PullRequest(
        number, words["title"], words["url"], author, words["head"], words["base"], words["base_ref"]
    )
