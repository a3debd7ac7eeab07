"""Source without its comments, so that a pattern finds code and not talk about code."""

from __future__ import annotations

import re

_PYTHON = re.compile(
    r"(?P<drop>\#[^\n]*|(?:[rRbBuUfF]{0,2})(?:\"\"\"(?:[^\\]|\\.)*?\"\"\"|'''(?:[^\\]|\\.)*?'''))"
    r"|\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'",
    re.DOTALL,
)
_C_LIKE = re.compile(
    r"(?P<drop>//[^\n]*|/\*.*?\*/)|\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`", re.DOTALL
)
_RUST = re.compile(r"(?P<drop>//[^\n]*|/\*.*?\*/)|\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\\n]|\\.)'", re.DOTALL)
_MASKS = {"Python": _PYTHON, "Rust": _RUST}


def masked(text: str, language: str) -> str:
    """The text with comments (in Python also texts in triple quotes) as spaces: same length, same lines."""
    return _MASKS.get(language, _C_LIKE).sub(_blank, text)


def _blank(match: re.Match[str]) -> str:
    if match["drop"] is None:
        return match[0]
    return "".join("\n" if char == "\n" else " " for char in match[0])


def arguments(text: str, start: int, *, limit: int = 2000) -> str:
    """What stands between the parenthesis at `start` and its partner, at most `limit` characters of it."""
    depth = 0
    for index in range(start, min(len(text), start + limit)):
        char = text[index]
        depth += (char in "([{") - (char in ")]}")
        if depth == 0:
            return text[start + 1 : index]
    return text[start + 1 : start + limit]
