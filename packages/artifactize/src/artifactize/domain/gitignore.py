"""Patterns of gitignore syntax, matched exactly as git matches them (gitignore(5), wildmatch).

A pattern decides about one path and never about what is below it: whoever walks a tree does not enter an
ignored folder. Libraries that match descendants as well get negations below re-included folders wrong.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

_CLASSES = {
    "alnum": "a-zA-Z0-9",
    "alpha": "a-zA-Z",
    "blank": " \\t",
    "cntrl": "\\x00-\\x1f\\x7f",
    "digit": "0-9",
    "graph": "\\x21-\\x7e",
    "lower": "a-z",
    "print": "\\x20-\\x7e",
    "punct": "!-/:-@\\[-`{-~",
    "space": " \\t-\\r",
    "upper": "A-Z",
    "xdigit": "0-9a-fA-F",
}


@dataclass(frozen=True, slots=True)
class _Rule:
    pattern: re.Pattern[str]
    re_includes: bool
    folders_only: bool
    by_name: bool


class Patterns:
    """Some lines of gitignore syntax, relative to the folder they stand in. The last match decides."""

    def __init__(self, lines: Iterable[bytes]) -> None:
        found = [rule for line in lines if (rule := _rule(line.decode("latin-1"))) is not None]
        self._rules = tuple(reversed(found))

    def __bool__(self) -> bool:
        return bool(self._rules)

    def verdict(self, path: str, *, is_dir: bool) -> bool | None:
        """Return true for ignored, false for re-included, None when no pattern matches."""
        text = path if path.isascii() else os.fsencode(path).decode("latin-1")  # git matches bytes
        name = text.rpartition("/")[2]
        for rule in self._rules:
            if rule.folders_only and not is_dir:
                continue
            if rule.pattern.fullmatch(name if rule.by_name else text):
                return not rule.re_includes
        return None


def pattern_lines(data: bytes) -> list[bytes]:
    """Return the lines of an ignore file; CRLF line ends and a byte order mark do not count."""
    return [line.removesuffix(b"\r") for line in data.removeprefix(b"\xef\xbb\xbf").split(b"\n")]


def _rule(line: str) -> _Rule | None:
    if line.startswith("#"):
        return None
    text = _without_trailing_spaces(line)
    re_includes = text.startswith("!")
    text = text[1:] if re_includes else text
    folders_only = text.endswith("/")
    text = text[:-1] if folders_only else text
    if not text:
        return None
    by_name = "/" not in text
    pattern = _translated(text.removeprefix("/"), whole_paths=not by_name)
    return _Rule(pattern, re_includes, folders_only, by_name)


def _without_trailing_spaces(line: str) -> str:
    end = len(line)
    while end and line[end - 1] == " ":
        end -= 1
    backslashes = len(line[:end]) - len(line[:end].rstrip("\\"))
    return line[: end + 1] if backslashes % 2 else line[:end]


def _translated(text: str, *, whole_paths: bool) -> re.Pattern[str]:
    regex = ""
    at = 0
    while at < len(text):
        if text[at] == "*":
            part, at = _stars(text, at, whole_paths=whole_paths)
        elif text[at] == "?":
            part, at = "[^/]", at + 1
        elif text[at] == "[":
            part, at = _bracket(text, at)
        elif text[at] == "\\":
            part, at = (re.escape(text[at + 1]), at + 2) if at + 1 < len(text) else ("(?!)", at + 1)
        else:
            part, at = re.escape(text[at]), at + 1
        regex += part
    return re.compile(regex, re.DOTALL)


def _stars(text: str, at: int, *, whole_paths: bool) -> tuple[str, int]:
    """Translate asterisks: two that are a whole segment reach over folders, all others stay in a name."""
    end = at
    while end < len(text) and text[end] == "*":
        end += 1
    is_segment = (at == 0 or text[at - 1] == "/") and (end == len(text) or text[end] == "/")
    if not whole_paths or end - at == 1 or not is_segment:
        return "[^/]*", end
    return ("(?:.*/)?", end + 1) if end < len(text) else (".*", end)


def _bracket(text: str, at: int) -> tuple[str, int]:
    """Translate a set of characters; one that is not closed matches nothing."""
    at += 1
    negated = text[at : at + 1] in {"!", "^"}
    at += negated
    members = ""
    first = True
    while first or text[at : at + 1] != "]":
        first = False
        member, at = _member(text, at)
        if member is None:
            return "(?!)", len(text)
        members += member
    if negated:
        return f"[^/{members}]", at + 1
    return f"(?!/)[{members}]", at + 1


def _member(text: str, at: int) -> tuple[str | None, int]:
    """Translate one character, range or named class of a set; None when the text ends before it does."""
    if text.startswith("[:", at) and (end := text.find(":]", at)) != -1:
        name = text[at + 2 : end]
        return (_CLASSES.get(name), end + 2)
    low, at = _character(text, at)
    if low is None or text[at : at + 1] != "-" or text[at + 1 : at + 2] in {"]", ""}:
        return low, at
    high, at = _character(text, at + 1)
    if high is None:
        return None, at
    # a range that runs backwards holds its first character, as any range does
    return (f"{low}-{high}" if low <= high else low), at


def _character(text: str, at: int) -> tuple[str | None, int]:
    at += text[at : at + 1] == "\\"
    return (f"\\x{ord(text[at]):02x}", at + 1) if at < len(text) else (None, at)
