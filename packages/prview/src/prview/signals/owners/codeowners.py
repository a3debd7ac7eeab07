"""CODEOWNERS as GitHub reads it (pure).

https://docs.github.com/en/repositories/managing-your-repositorys-settings-and-features/customizing-your-repository/about-code-owners
The last matching pattern wins; one without owners leaves files without an owner. Patterns are those of
.gitignore without negation and character ranges; `dir/*` takes no files of folders below.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

PLACES = (".github/CODEOWNERS", "CODEOWNERS", "docs/CODEOWNERS")
"""Where GitHub looks, the first one found counts."""

MAX_BYTES = 3 * 1024 * 1024
"""Larger files are not loaded by GitHub."""

_OWNER = re.compile(r"^(?:@[\w.-]+(?:/[\w.-]+)?|[^@\s]+@[^@\s]+\.[^@\s]+)$")
_WILD = re.compile(r"(/\*\*/|\*\*/|/\*\*|\*|\?)")
_WILD_MEANS = {"/**/": "/(?:.*/)?", "**/": "(?:.*/)?", "/**": "/.*", "*": "[^/]*", "?": "[^/]"}
_MAX_STARS = 20  # what matches them takes time that grows with each
_WORDS = re.compile(r"(?:\\.|[^\s\\])+")


@dataclass(frozen=True)
class Rule:
    """One line: a pattern and who owns what it matches."""

    line: int
    pattern: str
    owners: tuple[str, ...]
    matcher: re.Pattern[str]


@dataclass(frozen=True)
class CodeOwners:
    """A whole file; `refused` are lines that GitHub skips."""

    rules: tuple[Rule, ...]
    refused: tuple[int, ...] = ()

    def rule(self, path: str) -> Rule | None:
        """The rule that decides about a path."""
        return next((rule for rule in reversed(self.rules) if rule.matcher.match(path)), None)

    def owners(self, path: str) -> tuple[str, ...]:
        """Who owns a path; nobody when no rule matches or the last one has no owners."""
        rule = self.rule(path)
        return rule.owners if rule else ()


def parse_codeowners(text: str) -> CodeOwners:
    """Read a file. Lines with something that is no pattern or no owner are skipped, as GitHub does."""
    rules, refused = [], []
    for number, line in enumerate(text.split("\n"), 1):
        words = _WORDS.findall(_without_comment(line))
        if not words:
            continue
        pattern, *owners = words
        if not _is_pattern(pattern) or not all(_OWNER.match(owner) for owner in owners):
            refused.append(number)
            continue
        rules.append(Rule(number, pattern, tuple(owners), re.compile(_regex(pattern))))
    return CodeOwners(tuple(rules), tuple(refused))


def _without_comment(line: str) -> str:
    return re.split(r"(?:^|\s)#", line, maxsplit=1)[0]


def _is_pattern(pattern: str) -> bool:
    if pattern.count("*") > _MAX_STARS:
        return False
    return not pattern.startswith(("!", "\\#")) and not set(pattern) & set("[]") and pattern != "/"


def _regex(pattern: str) -> str:
    """The pattern as a regular expression over whole paths."""
    bare = re.sub(r"(?:\*\*/)+", "**/", re.sub(r"\\(.)", r"\1", pattern))
    anchored = "/" in bare.rstrip("/")
    body = bare.strip("/")
    start = r"\A" if anchored else r"\A(?:.*/)?"
    return start + _body(body) + _end(bare, body)


def _body(body: str) -> str:
    parts = _WILD.split(body)
    return "".join(_WILD_MEANS.get(part, re.escape(part)) for part in parts)


def _end(bare: str, body: str) -> str:
    if bare.endswith("/"):
        return r"/.*\Z"
    if body.endswith(("/*", "**")):
        return r"\Z"
    return r"(?:/.*)?\Z"
