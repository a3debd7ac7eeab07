"""Destructive statements of SQL of any dialect; comments and what undoes a migration are left out (pure)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from prview.signals.schema.operation import SchemaOperation

if TYPE_CHECKING:
    from collections.abc import Iterator

_LEXEME = re.compile(
    r"--[^\n]*|/\*.*?(?:\*/|\Z)|'(?:[^']|'')*(?:'|\Z)|\$(?P<tag>\w*)\$.*?(?:\$(?P=tag)\$|\Z)|;", re.DOTALL
)
"""What is left open ends with the text, so that every search takes one pass over it."""

_DOWN = re.compile(
    r"--\s*(?:\+goose\s+down|migrate:down|\+migrate\s+down|rollback\b|undo\b|=+\s*down)", re.IGNORECASE
)
_UP = re.compile(r"--\s*(?:\+goose\s+up|migrate:up|\+migrate\s+up|=+\s*up)", re.IGNORECASE)
_NAME = r"(?:if\s+(?:not\s+)?exists\s+)?(?:only\s+)?(?P<name>[\w.\"`\[\]]+)"
_CREATED = re.compile(rf"^create\s+(?:\w+\s+)*?table\s+{_NAME}", re.IGNORECASE)

_ALTER = rf"^alter\s+table\s+{_NAME}.*?\b"
_NO_COLUMN = "constraint|index|primary|foreign|key|default|not|check|partition"

_RULES = tuple(
    (rule, re.compile(pattern, re.IGNORECASE | re.DOTALL))
    for rule, pattern in (
        ("drop-table", rf"^drop\s+(?:table|schema|database|materialized\s+view)\s+{_NAME}"),
        ("truncate", rf"^truncate\s+(?:table\s+)?{_NAME}"),
        ("delete-all", rf"^delete\s+from\s+{_NAME}(?!.*\bwhere\b)"),
        ("update-all", rf"^update\s+{_NAME}\s+set\b(?!.*\bwhere\b)"),
        ("drop-column", rf"{_ALTER}drop\s+(?:column\s+)?(?!{_NO_COLUMN})\w"),
        ("rename", rf"{_ALTER}rename\s+(?:to|column|\w+\s+to)\b"),
        ("rename", rf"^rename\s+table\s+{_NAME}"),
        ("type-change", rf"{_ALTER}alter\s+(?:column\s+)?\S+\s+(?:set\s+data\s+)?type\b"),
        ("type-change", rf"{_ALTER}(?:modify|change)\s+(?:column\s+)?\w"),
        ("not-null", rf"{_ALTER}set\s+not\s+null\b"),
        ("not-null", rf"{_ALTER}add\s+(?:column\s+)?(?!constraint)\w[^,]*\bnot\s+null\b"),
        ("drop-value", rf"^alter\s+type\s+{_NAME}\s+drop\s+value"),
    )
)
_TO_THE_END = frozenset({"delete-all", "update-all"})
_LONGEST = 8000  # characters of an ALTER that are read: its patterns look ahead from several places
_WITH_DEFAULT = re.compile(
    r"\badd\s+(?:column\s+)?[^,]*\b(?:default|generated|serial|identity)\b", re.IGNORECASE
)


def sql_operations(text: str, *, first_line: int = 1) -> list[SchemaOperation]:
    """The destructive statements of a text. Tables that the text itself creates may be dropped again."""
    statements = list(_statements(text, first_line))
    created = {_plain(match["name"]) for _, words in statements if (match := _CREATED.match(words))}
    return [
        item
        for line, words in statements
        for item in _of_statement(line, words)
        if item.target not in created
    ]


def _statements(text: str, first_line: int) -> Iterator[tuple[int, str]]:
    """Line and words of every statement that is not about undoing; strings are emptied."""
    start, parts, down = 0, list[str](), False
    begin: int | None = None
    for match in [*_LEXEME.finditer(text), None]:
        piece = text[start : match.start() if match else len(text)]
        if piece.strip() and begin is None:
            begin = start + len(piece) - len(piece.lstrip())
        parts.append(piece)
        if match is None or match.group() == ";":
            words = " ".join("".join(parts).split())
            if words and not down and begin is not None:
                yield first_line + text.count("\n", 0, begin), words
            parts, begin = [], None
        else:
            lexeme = match.group()
            down = (down or bool(_DOWN.match(lexeme))) and not _UP.match(lexeme)
            parts.append("''" if lexeme.startswith(("'", "$")) else " ")
        start = match.end() if match else start


def _of_statement(line: int, words: str) -> Iterator[SchemaOperation]:
    seen = set()
    for rule, pattern in _RULES:
        match = pattern.search(words if rule in _TO_THE_END else words[:_LONGEST])
        if match and rule not in seen and not (rule == "not-null" and _has_default(words)):
            seen.add(rule)
            yield SchemaOperation(rule, line, _plain(match["name"]), words[:120])


def _has_default(words: str) -> bool:
    return "set not null" not in words.lower() and bool(_WITH_DEFAULT.search(words[:_LONGEST]))


def _plain(name: str) -> str:
    return re.sub(r"[\"`\[\]]", "", name).lower()
