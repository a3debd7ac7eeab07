"""The lines of a Python file that can matter to callers: everything but the bodies of functions.

Most changes touch bodies only. Comparing these lines first is several times faster than parsing, and errs on
one side: equal lines mean an equal interface, different ones mean that the file has to be parsed.
"""

from __future__ import annotations

import re
from functools import lru_cache

from prview.domain.changed_part import changed_part, common_length

_TOKENS = re.compile(
    r"""(?P<comment>\#[^\n]*)
    |(?P<text>(?:[rRbBuUfF]{1,2})?(?:\"\"\"(?:[^\\]|\\.)*?\"\"\"|'''(?:[^\\]|\\.)*?'''
      |"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'))""",
    re.VERBOSE | re.DOTALL,
)
_DEF = re.compile(r"^([ \t]*)(?:async[ \t]+)?def[ \t]", re.MULTILINE)
_TOP_DEF = re.compile(r"(?:async[ \t]+)?def[ \t]+(\w+)[ \t]*[(\[]")
_STAR = re.compile(r"import[ \t]*\*")
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

    True as well when all that is new are functions at the top under names that the old file does not have.
    """
    if old == new:
        return True
    one, other = changed_part(old, new) or (old, new)
    if _requoted(one, other):
        return False
    before, after = surface(one), surface(other)
    return before == after or _only_functions(_inserted(before, after), old)


def _requoted(one: str, other: str) -> bool:
    """Whether what was code may be text now, or the other way round."""
    return any(one.count(quotes) != other.count(quotes) for quotes in ('"""', "'''"))


def _inserted(before: tuple[str, ...], after: tuple[str, ...]) -> tuple[str, ...]:
    """The lines that stand in one place of `after` and are all that is new; empty when there is more."""
    if len(after) <= len(before):
        return ()
    head = common_length(before, after)
    tail = common_length(before[head:][::-1], after[head:][::-1])
    return after[head : len(after) - tail] if head + tail == len(before) else ()


def _only_functions(lines: tuple[str, ...], old: str) -> bool:
    """Whether lines are signatures at the top, under names that are no words of the old text."""
    top = [line for line in lines if not line[0].isspace()]
    names = [found[1] for line in top if (found := _TOP_DEF.match(line))]
    signatures = len(names) == sum(not line.startswith((")", "]", "}", "@")) for line in top)
    fresh = len(set(names)) == len(names) and not any(_is_word(name, old) for name in names)
    special = any(name.startswith("__") for name in names)
    return bool(names) and signatures and fresh and not special and not _STAR.search(old)


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
