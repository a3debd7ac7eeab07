"""The lines of a Python file that can matter to callers: everything but the bodies of functions.

Most changes touch bodies only. Comparing these lines first is several times faster than parsing, and errs on
one side: equal lines mean an equal interface, different ones mean that the file has to be parsed.
"""

from __future__ import annotations

import ast
import re
from functools import lru_cache

from prview.domain.changed_part import changed_part
from prview.signals.python_imports import parse_python

_TOKENS = re.compile(
    r"""(?P<comment>\#[^\n]*)
    |(?P<text>(?:[rRbBuUfF]{1,2})?(?:\"\"\"(?:[^\\]|\\.)*?\"\"\"|'''(?:[^\\]|\\.)*?'''
      |"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'))""",
    re.VERBOSE | re.DOTALL,
)
_DEF = re.compile(r"^([ \t]*)(?:async[ \t]+)?def[ \t]", re.MULTILINE)
_TOP_DEF = re.compile(r"(?:(?:async[ \t]+)?def[ \t]+(?=\w+[ \t]*[(\[])|class[ \t]+)(\w+)[ \t]*[(\[:]")
_STAR = re.compile(r"import[ \t]*\*")
_NEXT = re.compile(r"[^\s)\]}#]")
_LONG_QUOTES = ('"""', "'''")
_INSTANCE = re.compile(r"^\s*self\s*\.")
_OPENING = re.compile(r"[(\[{]")
_CLOSING = re.compile(r"[)\]}]")


def same_surface(old: str, new: str) -> bool:
    """Whether importers see the same in both; False when that would have to be parsed."""
    if old == new:
        return True
    one, other = changed_part(old, new) or (old, new)
    return not _requoted(one, other) and surface(one) == surface(other)


@lru_cache(maxsize=1024)
def loses_nothing(old: str, new: str) -> bool:
    """Whether importers find everything of the old file in the new one; False when that has to be parsed.

    True as well when all that is new are functions and classes at the top, under names that the old file does
    not have.
    """
    if same_surface(old, new):
        return True
    rest = _without_new_definitions(old, new)
    return rest is not None and same_surface(old, rest)


def _requoted(one: str, other: str) -> bool:
    """Whether what was code may be text now, or the other way round."""
    return any(one.count(quotes) != other.count(quotes) for quotes in _LONG_QUOTES)


def _without_new_definitions(old: str, new: str) -> str | None:
    """The new file as it would be without them; None when there are none, or cutting them out is not safe."""
    if _STAR.search(old):  # a name of the star's module may be hidden now
        return None
    lines = new.split("\n")
    begins = [(index, found[1]) for index, line in enumerate(lines) if (found := _TOP_DEF.match(line))]
    known = {found[1] for line in old.split("\n") if (found := _TOP_DEF.match(line))}
    added = [(index, name) for index, name in begins if name not in known and not name.startswith("__")]
    fresh = [(index, name) for index, name in added if not _is_word(name, old)]
    if not fresh or len({name for _, name in fresh}) < len(fresh):
        return None
    for index, name in reversed(fresh):
        start, end = _decorated(lines, index), _definition_end(lines, index)
        before = "\n".join(lines[:start])
        if any(before.count(quotes) % 2 for quotes in _LONG_QUOTES) or not _is_definition(
            lines[start:end], name
        ):
            return None
        del lines[start:end]
    return "\n".join(lines)


def _decorated(lines: list[str], index: int) -> int:
    """Where the decorators of the definition at `index` begin; those of one line each are seen."""
    while index > 0 and lines[index - 1].startswith("@"):
        index -= 1
    return index


def _definition_end(lines: list[str], index: int) -> int:
    """The next line that begins a statement at the top, as far as indentation tells."""
    later = range(index + 1, len(lines))
    return next((at for at in later if _NEXT.match(lines[at])), len(lines))


def _is_definition(lines: list[str], name: str) -> bool:
    """Whether the lines are one function or class and nothing else."""
    tree = parse_python("\n".join(lines))
    body = tree.body if tree else []
    found = [node for node in body if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)]
    return len(found) == len(body) == 1 and found[0].name == name


def _is_word(name: str, text: str) -> bool:
    return name in text and re.search(rf"\b{name}\b", text) is not None


def surface(text: str) -> tuple[str, ...]:
    """The lines outside of function bodies, and inside of them those that begin with `self.`."""
    lines = text.split("\n")
    masked = _TOKENS.sub(_blank, text).split("\n")
    kept: list[str] = []
    index = 0
    while index < len(lines):
        found = _DEF.match(masked[index])
        if not found:
            kept.append(lines[index])
            index += 1
            continue
        end = _signature_end(masked, index)
        kept += lines[index:end]
        index = _body(masked, lines, end, len(found[1].expandtabs()), kept)
    return tuple(line for line in kept if line.strip())


def _blank(match: re.Match[str]) -> str:
    """Nothing but the line ends, and something that keeps a line from looking empty."""
    return "~" + "\n~" * match[0].count("\n") if match.lastgroup == "text" else ""


def _signature_end(masked: list[str], start: int) -> int:
    """The index after the last line of a signature."""
    depth = 0
    for index in range(start, len(masked)):
        line = masked[index]
        depth += len(_OPENING.findall(line)) - len(_CLOSING.findall(line))
        if depth <= 0 and not line.rstrip().endswith("\\"):
            return index + 1
    return len(masked)


def _body(masked: list[str], lines: list[str], start: int, indent: int, kept: list[str]) -> int:
    """The index after a body: the next line that is not indented deeper."""
    for index in range(start, len(masked)):
        line = masked[index]
        stripped = line.strip()
        if not stripped or stripped == "~":
            continue
        if _indent(line) <= indent and not line.startswith("~"):
            return index
        if _INSTANCE.match(line):
            kept.append(lines[index])
    return len(masked)


def _indent(line: str) -> int:
    expanded = line.expandtabs()
    return len(expanded) - len(expanded.lstrip())
