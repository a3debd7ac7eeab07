"""Patterns of `grep` and `glob`, matched in time that grows with the text only: RE2 never backtracks."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from artifactize.toolbox.contract import ToolFault

if TYPE_CHECKING:
    from collections.abc import Callable

_MAX_PROGRAM_BYTES = 8 * 1024 * 1024


def compiled(pattern: str, *, regex: bool, ignore_case: bool) -> Any:  # noqa: ANN401 - re2 has no types
    """Return a pattern for bytes that never matches across a line end. Raises ToolFault."""
    re2 = import_module("re2")  # deferred: only a search needs it
    options = re2.Options()
    options.encoding = re2.Options.Encoding.UTF8
    options.literal = not regex
    options.never_nl = True
    options.case_sensitive = not ignore_case
    options.log_errors = False
    options.max_mem = _MAX_PROGRAM_BYTES
    text = f"(?m){pattern}" if regex else pattern
    try:
        return re2.compile(text.encode(), options)
    except re2.error as failure:
        why = failure.args[0] if failure.args else failure
        said = why.decode(errors="replace") if isinstance(why, bytes) else str(why)
        raise ToolFault(
            "INVALID_ARGUMENTS", f"pattern: {said}; RE2 syntax, or leave regex out to search it literally"
        ) from failure


def compiled_glob(pattern: str) -> Callable[[str], bool]:
    """Return what says whether a glob matches a whole path. Raises ToolFault."""
    re2 = import_module("re2")
    try:
        expression = re2.compile(_translated(pattern))
    except re2.error as failure:
        raise ToolFault("INVALID_ARGUMENTS", f"{pattern!r} is not a glob: {failure}") from failure
    return lambda path: expression.fullmatch(path) is not None


def _translated(pattern: str) -> str:
    parts: list[str] = []
    at = 0
    while at < len(pattern):
        piece, at = _piece(pattern, at)
        parts.append(piece)
    return "".join(parts)


def _piece(pattern: str, at: int) -> tuple[str, int]:
    """Return the expression of what stands at a place, and the place behind it."""
    if pattern.startswith("**/", at) and (at == 0 or pattern[at - 1] == "/"):
        return "(?:[^/]+/)*", at + 3
    if pattern.startswith("**", at):
        return ".*", at + 2
    if pattern[at] == "*":
        return "[^/]*", at + 1
    if pattern[at] == "?":
        return "[^/]", at + 1
    if pattern[at] == "[":
        return _class(pattern, at)
    return _escaped(pattern[at]), at + 1


def _class(pattern: str, at: int) -> tuple[str, int]:
    negated = pattern.startswith("!", at + 1)
    start = at + 2 if negated else at + 1
    end = pattern.find("]", start + 1)
    if end < 0:
        return r"\[", at + 1
    members = "".join(each if each == "-" else _escaped(each) for each in pattern[start:end])
    return f"[{'^/' if negated else ''}{members}]", end + 1


def _escaped(character: str) -> str:
    return character if character.isalnum() or character == "_" else f"\\x{{{ord(character):x}}}"
