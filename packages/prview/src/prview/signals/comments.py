"""The comments of a file: by its language where we can read that, else by what usually begins a comment."""

from __future__ import annotations

import io
import re
import tokenize
from dataclasses import dataclass
from pathlib import PurePosixPath

from prview.signals.syntax import captures, grammar_of, line_of, parse, source

_QUERIES = {"rust": "[(line_comment) (block_comment)] @comment"}
_ANY = "(comment) @comment"
_BEGINS = re.compile(r"(?:^|\s)(?:#|//|/\*|<!--|--|;|%|\*)\s?(?P<text>.*)")


@dataclass(frozen=True)
class Comment:
    """One line of a comment. `read`: found by reading the language, not by pattern."""

    line: int
    text: str
    read: bool


def comments(path: str, text: str) -> list[Comment]:
    """The comments of a text, line by line."""
    if PurePosixPath(path).suffix.lower() in {".py", ".pyi"}:
        return _of_python(text)
    grammar = grammar_of(path)
    if grammar is None:
        return _by_pattern(text)
    found = captures(grammar, parse(grammar, text), _QUERIES.get(grammar, _ANY)).get("comment", [])
    return [
        Comment(line_of(node) + offset, part, read=True)
        for node in found
        for offset, part in enumerate(source(node).split("\n"))
    ]


def _of_python(text: str) -> list[Comment]:
    try:
        tokens = list(tokenize.generate_tokens(io.StringIO(text).readline))
    except (tokenize.TokenError, SyntaxError):
        return _by_pattern(text)
    return [
        Comment(token.start[0], token.string, read=True) for token in tokens if token.type == tokenize.COMMENT
    ]


def _by_pattern(text: str) -> list[Comment]:
    found = ((number, _BEGINS.search(line)) for number, line in enumerate(text.split("\n"), 1))
    return [Comment(number, match["text"], read=False) for number, match in found if match]
