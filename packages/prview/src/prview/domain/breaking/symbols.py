"""An interface as its callers see it, whatever language it is written in."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

from prview.domain.findings import Level

if TYPE_CHECKING:
    from collections.abc import Mapping

SHOWN_CHARS = 240
"""Characters of a signature that a report shows."""


class Passing(StrEnum):
    """How a caller may pass an argument."""

    POSITIONAL = "by position only"
    EITHER = "by position or name"
    REST = "any number by position"
    KEYWORD = "by name only"
    KEYWORDS = "any by name"


BY_POSITION = frozenset({Passing.POSITIONAL, Passing.EITHER})
BY_NAME = frozenset({Passing.EITHER, Passing.KEYWORD})
VARIADIC = frozenset({Passing.REST, Passing.KEYWORDS})


@dataclass(frozen=True)
class Parameter:
    """One parameter. `type` and `default` are source text without layout; None where nothing is written."""

    name: str
    passing: Passing = Passing.POSITIONAL
    required: bool = True
    type: str | None = None
    default: str | None = None


class Role(StrEnum):
    """What can be done with a name: call it, read it, or use it as a type."""

    FUNCTION = "function"
    VALUE = "value"
    TYPE = "type"


@dataclass(frozen=True)
class Duty:
    """What a newly added member asks of those who implement, build or match its owner."""

    level: Level
    effect: str


@dataclass(frozen=True)
class Symbol:
    """One public name.

    `name` is dotted inside its unit (`Client.send`), which lies in the file `path`; `word` is what its
    language calls it; `line` counts from 1; `shown` is the declaration on one line, for people. What is
    compared has no layout: `shape` is what else callers rely on (a written type), `overloads` are the
    alternatives of a signature. `doubt` ends the sentence "was removed" where it may still be there.
    """

    name: str
    word: str
    role: Role
    line: int
    shown: str
    path: str = ""
    parameters: tuple[Parameter, ...] | None = None
    returns: str | None = None
    shape: str = ""
    generics: str = ""
    modifiers: frozenset[str] = frozenset()
    bases: tuple[str, ...] = ()
    overloads: frozenset[str] = frozenset()
    duty: Duty | None = None
    doubt: str = ""

    @property
    def owner(self) -> str:
        """The name of what it is a member of; empty at the top of a unit."""
        return self.name.rpartition(".")[0]


@dataclass(frozen=True)
class Style:
    """How much a language lets a caller rely on.

    `types`, `returns` and `shapes` are the level of a changed parameter type, return type, other written type
    (None: not compared); `may` is said where the change could also be compatible.
    """

    language: str
    types: Level | None
    returns: Level | None
    shapes: Level | None
    may: str = ""
    generics: Level | None = Level.WARNING
    inferred: bool = False
    """Whether a type that is not written is unknown (and not none at all): it is then not compared."""

    lenient: bool = False
    """Whether calls with too few or too many arguments still run (JavaScript)."""
    defaults: Level | None = None
    modifiers: Mapping[str, tuple[Level, str]] = field(default_factory=dict)
    """`+word` gained, `-word` lost: level and how callers are affected."""


Api = dict[str, Symbol]


def one_line(text: str) -> str:
    """Source text on one line, cut to what a report shows."""
    line = " ".join(text.split())
    return line if len(line) <= SHOWN_CHARS else line[: SHOWN_CHARS - 1] + "…"
