"""The imports and exports that a JavaScript or TypeScript module states.

Comments and strings are set aside first, so that an import in either is none. What exists for types only is
no import: it is gone before a page is built.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Iterator

ALL = "*"
DEFAULT = "default"
Kind = Literal["static", "dynamic", "glob"]

_STRING = re.compile(
    r"""//[^\n]*|/\*.*?\*/|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`""", re.DOTALL
)
_S = r"\x00(\d+)\x00"
_IMPORT = re.compile(rf"\bimport\b\s*([\w$*{{}}\s,]*?)\s*(?:\bfrom\b\s*)?{_S}")
_REEXPORT = re.compile(rf"\bexport\b\s*(type\s+)?(\*(?:\s*as\s+[\w$]+)?|\{{[^{{}}]*\}})\s*from\s*{_S}")
_CALL = re.compile(rf"(?<!typeof )\b(?:import|require)\s*\(\s*{_S}")
_ASSET = re.compile(rf"\bnew\s+URL\s*\(\s*{_S}\s*,\s*import\.meta\.url")
_GLOB = re.compile(r"\bimport\.meta\.glob(?:Eager)?\s*(?:<[^()]*>)?\s*\(\s*(\[[^\]]*\]|\x00\d+\x00)")
_TYPE_CLAUSE = re.compile(r"type\s+[\w${*]")
_EXPORT = re.compile(
    r"\bexport\s+(?:(default)\b|(?:declare\s+)?(?:abstract\s+)?(?:async\s+)?"
    r"(?:const|let|var|function\s*\*?|class|enum|namespace)\s+([\w$]+)|\{([^{}]*)\}(?!\s*from))"
)
_UNKNOWN_EXPORTS = re.compile(
    r"\bexport\s*\*|\bmodule\.exports\b|\bexports\.|\bexport\s+(?:const|let|var)\s*[{\[]"
)


@dataclass(frozen=True, slots=True)
class Import:
    """One import. `names` are what is taken of the other module; None means all of it.

    `exported` says under which names a re-export passes them on: pairs of theirs and ours, `*` for all.
    """

    specifier: str
    names: frozenset[str] | None = None
    kind: Kind = "static"
    exported: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Masked:
    """Source without comments, its strings replaced by numbers."""

    code: str
    strings: tuple[str, ...]


def mask(source: str) -> Masked:
    """Set comments and strings aside; of template literals only those without a placeholder are strings."""
    strings: list[str] = []

    def replaced(match: re.Match[str]) -> str:
        token = match[0]
        if token.startswith("/"):
            return " "
        if token[0] == "`" and "${" in token:
            return "``"
        strings.append(token[1:-1])
        return f"\x00{len(strings) - 1}\x00"

    code = _STRING.sub(replaced, source.replace("\x00", ""))
    return Masked(code, tuple(strings))


def imports(source: str) -> tuple[Import, ...]:
    """Every import of a module, type-only ones left out."""
    return tuple(_imports(mask(source)))


def _imports(masked: Masked) -> Iterator[Import]:
    code, strings = masked.code, masked.strings
    for found in _IMPORT.finditer(code):
        if (names := _clause(found[1])) != frozenset():
            yield Import(strings[int(found[2])], names)
    if "export" in code:
        yield from _reexports(masked)
    for found in _CALL.finditer(code):
        yield Import(strings[int(found[1])], kind="dynamic")
    if "import.meta" in code:
        yield from _by_meta(masked)


def _reexports(masked: Masked) -> Iterator[Import]:
    for found in _REEXPORT.finditer(masked.code):
        pairs = _passed_on(found[2])
        if not found[1] and pairs:
            names = None if any(theirs == ALL for theirs, _ in pairs) else frozenset(t for t, _ in pairs)
            yield Import(masked.strings[int(found[3])], names, exported=pairs)


def _by_meta(masked: Masked) -> Iterator[Import]:
    for found in _ASSET.finditer(masked.code):
        yield Import(masked.strings[int(found[1])], kind="dynamic")
    for found in _GLOB.finditer(masked.code):
        for number in re.findall(_S, found[1]):
            yield Import(masked.strings[int(number)], kind="glob")


def _clause(clause: str) -> frozenset[str] | None:
    """What an import takes; None for everything, the empty set for types only."""
    clause = clause.strip()
    if not clause or "*" in clause:
        return frozenset() if _TYPE_CLAUSE.match(clause) else None
    if _TYPE_CLAUSE.match(clause):
        return frozenset()
    default, brace, rest = clause.partition("{")
    names = {theirs for theirs, _ in _listed(rest.rstrip("} \n\t"))} if brace else set()
    if default.strip(" ,\n\t"):
        names.add(DEFAULT)
    return frozenset(names) if names or "{" not in clause or rest.strip("} \n\t,") else None


def _passed_on(clause: str) -> tuple[tuple[str, str], ...]:
    if clause.startswith("*"):
        _, named, ours = clause.partition(" as ")
        return ((ALL, ours.strip() if named else ALL),)
    return tuple(_listed(clause.strip("{} \n\t")))


def _listed(names: str) -> Iterator[tuple[str, str]]:
    """`a, b as c, type D` as pairs of names, types left out."""
    for part in names.split(","):
        words = part.split()
        if not words or (words[0] == "type" and len(words) > 1 and words[1] != "as"):
            continue
        yield words[0], words[2] if len(words) > 2 and words[1] == "as" else words[0]  # noqa: PLR2004 - as


def exported_names(source: str) -> frozenset[str] | None:
    """The names that a module exports itself; None when that cannot be told from its text."""
    masked = mask(source)
    if _UNKNOWN_EXPORTS.search(masked.code):
        return None
    names: set[str] = set()
    for default, name, listed in _EXPORT.findall(masked.code):
        names |= {DEFAULT} if default else {name} if name else {ours for _, ours in _listed(listed)}
    for found in _REEXPORT.finditer(masked.code):
        names |= {ours for _, ours in _passed_on(found[2])}
    return frozenset(names)
