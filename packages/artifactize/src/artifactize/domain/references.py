r"""References to Artifacts inside instructions and arguments: `{name}`, `{name}/path`, `--flag={name}/path`.

Escaped braces (`\{`), doubled braces, `${x}`, JSON groups and unmatched braces stay what they are (spec 40,
section 1).
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from artifactize.domain.names import NAME_PATTERN

_REFERENCE = re.compile(rf"\{{({NAME_PATTERN})\}}")
_OPERAND = re.compile(
    rf"(?P<flag>--[A-Za-z0-9][A-Za-z0-9_.-]*=)?\{{(?P<name>{NAME_PATTERN})\}}(?:/(?P<path>.*))?", re.DOTALL
)


@dataclass(frozen=True, slots=True)
class Operand:
    """An argument that names an input: a literal `flag` prefix, a name or alias, a path inside it (or "")."""

    flag: str
    name: str
    path: str


def operand(argument: str) -> Operand | None:
    """Return the reference that a whole argument is, or None when it is literal."""
    found = _OPERAND.fullmatch(argument)
    if found is None:
        return None
    return Operand(found["flag"] or "", found["name"], found["path"] or "")


def text_references(text: str) -> tuple[str, ...]:
    """Return the names that a text refers to, in order of first occurrence."""
    names: dict[str, None] = {}
    at = 0
    while (at := _next_brace(text, at)) < len(text):
        found = _REFERENCE.match(text, at)
        if found:
            names[found[1]] = None
        at = found.end() if found else _past_literal(text, at)
    return tuple(names)


def _next_brace(text: str, at: int) -> int:
    """Return the place of the next opening brace that could start a reference."""
    while at < len(text):
        pair = text[at : at + 2]
        if pair in {"\\{", "\\}", "\\\\", "{{", "}}"}:
            at += 2
        elif pair == "${":
            at = _past_literal(text, at + 1)
        elif text[at] == "{":
            return at
        else:
            at += 1
    return at


def _past_literal(text: str, opening: int) -> int:
    """Return the place after the group that opens here, or after the brace alone when nothing closes it."""
    depth = 0
    at = opening
    while at < len(text):
        if text[at] == "\\":
            at += 1
        elif text[at] == "{":
            depth += 1
        elif text[at] == "}":
            depth -= 1
            if depth == 0:
                return at + 1
        at += 1
    return opening + 1
