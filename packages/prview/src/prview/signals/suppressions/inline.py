"""Comments and attributes that silence a tool for a line, a block or a file."""

from __future__ import annotations

import re
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from prview.signals.comments import comments
from prview.signals.suppressions.model import Suppression, with_words

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_TAIL = r"(?:[:=(\s]\s*[\w@/:.,=()\[\] -]{0,80})?"
_COMMENT = re.compile(
    r"(?i:(?P<noqa>(?:(?:ruff|flake8):\s*)?noqa\b(?::\s*[A-Z]+\d+(?:[,\s]+[A-Z]+\d+)*)?))"
    rf"|(?P<types>(?:type|pyright|ty|pyre):\s*ignore\b(?:\[[\w\s,-]*\])?|mypy:\s*(?:ignore-errors|disable-error-code){_TAIL}"
    rf"|@ts-(?:ignore|expect-error|nocheck)\b)"
    rf"|(?P<lint>(?:eslint|oxlint|stylelint|tslint|pylint|rubocop|shellcheck|yamllint|markdownlint)[-:\s]+disable(?:-next|-line)*{_TAIL}"
    rf"|(?:biome|deno-lint)-ignore\S*{_TAIL}|lint:(?:file-)?ignore{_TAIL}|hadolint\s+ignore{_TAIL}|nolint\b(?::[\w,]+)?)"
    rf"|(?P<security>nosec\b(?:[:\s]+B\d+(?:,\s*B\d+)*)?|nosemgrep\b{_TAIL}|NOSONAR\b|(?:zizmor|tfsec|trivy):\s*ignore{_TAIL}"
    rf"|checkov:skip{_TAIL}|gitleaks:allow|pragma:\s*allowlist\s+secret)"
    rf"|(?P<coverage>pragma:\s*no\s*(?:cover|branch)|(?:istanbul|c8|v8|node:coverage)\s+(?:ignore|disable)\b)"
)
_BEGINS = re.compile(r"^\W*$|(?:#|//|/\*|<!--)\s*$")
_ATTRIBUTE = re.compile(r"^\s*(#!?\[(?:cfg_attr\([^]]*?,\s*)?(?:allow|expect)\s*\([^\]]*\)\s*\]?)")
_ANNOTATION = re.compile(r"(@(?:file:)?Suppress(?:Warnings|Lint)?\s*\([^)]*\))")
_CURLY = frozenset({".java", ".kt", ".kts", ".scala"})
_WORDS = (
    "noqa",
    "ignore",
    "disable",
    "nolint",
    "nosec",
    "semgrep",
    "NOSONAR",
    "checkov",
    "gitleaks",
    "pragma",
    "@ts-",
    "allow",
    "expect",
    "Suppress",
    "NoQA",
    "NOQA",
)
_SILENCES = {
    "noqa": "silences the linter",
    "types": "silences the type checker",
    "lint": "silences the linter",
    "security": "silences a security check",
    "coverage": "keeps code out of the measured coverage",
}
_RULES = {
    "noqa": "lint",
    "types": "types",
    "lint": "lint",
    "security": "security",
    "coverage": "coverage",
}


def suppressing(lines: Sequence[str]) -> list[str]:
    """The lines that have a word of a suppression: cheap, and never too few."""
    patterns = (_COMMENT, _ATTRIBUTE, _ANNOTATION)
    return [line for line in with_words(lines, _WORDS) if any(pattern.search(line) for pattern in patterns)]


def inline_suppressions(path: str, text: str) -> list[Suppression]:
    """Every suppression of a file, in order of its lines."""
    found = [
        item
        for comment in comments(path, text)
        for item in _of_comment(comment.line, comment.text, read=comment.read)
    ]
    suffix = PurePosixPath(path).suffix.lower()
    if suffix == ".rs":
        found += _by_line(text, _ATTRIBUTE, "lint", "silences the compiler or a lint")
    if suffix in _CURLY:
        found += _by_line(text, _ANNOTATION, "lint", "silences warnings")
    return sorted(found, key=lambda item: item.line)


def _of_comment(line: int, text: str, *, read: bool) -> Iterator[Suppression]:
    """A comment that begins with one, also after another comment on its line; talk about one is none."""
    for match in _COMMENT.finditer(text):
        if _BEGINS.search(text[: match.start()]):
            kind = match.lastgroup or "lint"
            yield Suppression(_RULES[kind], line, match.group().strip(), _SILENCES[kind], read=read)


def _by_line(text: str, pattern: re.Pattern[str], rule: str, what: str) -> Iterator[Suppression]:
    for number, line in enumerate(text.split("\n"), 1):
        if match := pattern.search(line):
            yield Suppression(rule, number, match[1].strip(), what, read=False)
