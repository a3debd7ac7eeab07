"""What one comparison of two interfaces states."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from prview.domain.breaking.symbols import Symbol
    from prview.domain.findings import Level


@dataclass(frozen=True)
class ApiChange:
    """One incompatibility of one symbol.

    `what` is a clause about the symbol (`lost its parameter b`), `effect` a clause about its callers.
    """

    rule: str
    level: Level
    name: str
    what: str
    effect: str
    old: Symbol | None = None
    new: Symbol | None = None


@dataclass(frozen=True)
class Break:
    """An incompatibility, located.

    `path` and `line` are in the reviewed commit, or (`gone`) in the merge base when it has no such file any
    more. `symbol` is the name as callers write it. `heuristic`: found by pattern, the language was not read.
    """

    rule: str
    level: Level
    language: str
    symbol: str
    path: str
    line: int
    what: str
    effect: str
    old: str | None = None
    new: str | None = None
    gone: bool = False
    heuristic: bool = False
    was: str = ""
    """`path:line` in the merge base, of something that the reviewed commit does not have; empty otherwise."""
    note: str = ""
    """A further sentence: where it moved, why only this package is affected."""

    @property
    def sort_key(self) -> tuple[str, int, str, str, str]:
        """Deterministic order: file, line, then what tells equal ones apart."""
        return self.path, self.line, self.rule, self.symbol, self.what
