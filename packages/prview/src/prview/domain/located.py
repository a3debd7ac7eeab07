"""Configuration with the place of every value, so that a refusal can point at it."""

from __future__ import annotations

from dataclasses import dataclass
from difflib import get_close_matches
from typing import TYPE_CHECKING

from prview.errors import RunFailedError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

Scalar = str | int | float | bool | None


class ConfigError(RunFailedError):
    """A configuration file says what cannot be meant; `path`, `line` (from 1) and `key` say where."""

    def __init__(self, problem: str, *, path: str, line: int, key: str = "", hint: str | None = None) -> None:
        named = f"{key}: " if key else ""
        super().__init__(f"{path}:{line}: {named}{problem}", hint=hint or "correct the file")
        self.path, self.line, self.key, self.problem = path, line, key, problem


@dataclass(frozen=True)
class Located:
    """A value of a file. `key` is its dotted name, `line` where its key stands (from 1)."""

    value: Scalar | tuple[Located, ...] | Mapping[str, Located]
    path: str
    line: int
    key: str = ""

    def refuse(self, problem: str, *, hint: str | None = None) -> ConfigError:
        """The error that points here."""
        return ConfigError(problem, path=self.path, line=self.line, key=self.key, hint=hint)

    def table(self, known: Iterable[str] | None = None) -> Mapping[str, Located]:
        """Return the values by key. Raises ConfigError for anything else and for keys not `known`."""
        if isinstance(self.value, str | int | float | tuple) or self.value is None:
            raise self.refuse(f"must be a mapping, got {self._shown()}")
        for name, item in self.value.items() if known is not None else ():
            check_known(item, name, known or (), what="key")
        return self.value

    def text(self) -> str:
        """Return a string. Raises ConfigError."""
        if not isinstance(self.value, str):
            raise self.refuse(f"must be text, got {self._shown()}")
        return self.value

    def texts(self) -> tuple[str, ...]:
        """Return a list of strings. Raises ConfigError."""
        if not isinstance(self.value, tuple):
            raise self.refuse(f"must be a list, got {self._shown()}")
        return tuple(item.text() for item in self.value)

    def word(self, words: Iterable[str]) -> str:
        """Return one of `words`. Raises ConfigError with the nearest one."""
        text = self.text()
        check_known(self, text, words, what="value")
        return text

    def _shown(self) -> str:
        kinds = {str: "text", bool: "true or false", int: "a number", float: "a number", tuple: "a list"}
        return "nothing" if self.value is None else kinds.get(type(self.value), "a mapping")


def check_known(place: Located, word: str, known: Iterable[str], *, what: str) -> None:
    """Raise ConfigError at `place` unless `word` is known; the hint names what was probably meant."""
    listed = sorted(map(str, known))
    if word not in listed:
        raise place.refuse(f"unknown {what} {word!r}", hint=suggestion(word, listed))


def suggestion(word: str, known: Iterable[str]) -> str:
    """What was probably meant, or everything there is."""
    listed = sorted(map(str, known))
    near = get_close_matches(word, listed, n=1, cutoff=0.6)
    return f"did you mean {near[0]!r}?" if near else f"known are {', '.join(listed)}"
