"""A mistake in a declaration, with its place."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from artifactize.domain.toml_positions import KeyPath, Position


@dataclass(frozen=True, slots=True, order=True)
class Problem:
    """One mistake: file in the repository, one-based line and column, dotted key path (may be empty)."""

    file: str
    line: int
    column: int
    key_path: str
    message: str

    def __str__(self) -> str:
        where = f"{self.file}:{self.line}:{self.column}"
        return f"{where}: {self.key_path}: {self.message}" if self.key_path else f"{where}: {self.message}"


@dataclass(frozen=True, slots=True)
class Source:
    """Where the keys of one declaration file stand."""

    file: str
    positions: Mapping[KeyPath, Position]

    def problem(self, path: KeyPath, message: str) -> Problem:
        """Return the mistake at the key itself, or at its nearest enclosing key that has a place."""
        line, column = self._place(path)
        return Problem(self.file, line, column, dotted(path), message)

    def _place(self, path: KeyPath) -> Position:
        for length in range(len(path), 0, -1):
            if (place := self.positions.get(path[:length])) is not None:
                return place
        return (1, 1)


def dotted(path: KeyPath) -> str:
    """Return a key path as people write it: `evals.check.profile.args[1]`."""
    text = ""
    for part in path:
        if isinstance(part, int):
            text += f"[{part}]"
        else:
            text += f".{part}" if text else part
    return text
