"""One unsafe construct of one file."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from prview.domain.findings import Level

if TYPE_CHECKING:
    from tree_sitter import Node

_ANCHOR = 300


@dataclass(frozen=True)
class Construct:
    """`line` and `column` count from 1; `text` is the source of the construct and tells equal ones apart."""

    rule: str
    level: Level
    line: int
    column: int
    message: str
    text: str

    @property
    def anchor(self) -> str:
        """The source in one line."""
        return " ".join(self.text.split())[:_ANCHOR]


@dataclass(frozen=True)
class Danger:
    """What is wrong with a construct. `constant`: the level when all its input is written in the source."""

    rule: str
    message: str
    level: Level = Level.WARNING
    constant: Level | None = Level.NOTE

    def graded(self, *, constant: bool) -> Level | None:
        """The level of one use; None when that use is fine."""
        return self.constant if constant else self.level


SHELL = Danger("shell-command", "runs a shell: input that reaches it can run any command")
EVAL = Danger("eval", "runs text as code")
TLS = Danger("tls-verification-off", "accepts any certificate", constant=Level.WARNING)
HTML = Danger("raw-html", "puts text into a page as HTML: input that reaches it can run scripts")
SQL = Danger("sql-from-text", "builds a statement from text: pass the values as parameters", constant=None)
DESERIALIZE = Danger(
    "unsafe-deserialization",
    "rebuilds objects from data: data from outside can run code",
    constant=Level.WARNING,
)
WEAK_HASH = Danger("weak-hash", "uses a digest that can be forged", level=Level.NOTE)


def at_node(danger: Danger, level: Level, node: Node) -> Construct:
    """A construct found by tree-sitter."""
    row, column = node.start_point
    text = (node.text or b"").decode("utf-8", "replace")
    return Construct(danger.rule, level, row + 1, column + 1, danger.message, text)
