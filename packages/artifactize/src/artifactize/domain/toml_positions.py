"""Where each key of a TOML document stands, since the standard library's parser does not say.

It is a scanner, no validator: `tomllib` has accepted the text before, so that every construct found here is
well-formed. Arrays contribute their items under their index.
"""

from __future__ import annotations

import re
import tomllib
from bisect import bisect_right
from typing import TypeAlias

KeyPath: TypeAlias = tuple[str | int, ...]
Position: TypeAlias = tuple[int, int]
"""One-based line and column, the column counted in characters."""

_BLANK = re.compile(r"(?:[ \t\r\n]|#[^\n]*)*")
_INLINE_BLANK = re.compile(r"[ \t]*")
_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")
_SCALAR = re.compile(r"[^,\]}#\n]*")
_STRING = re.compile(
    r'"""(?:[^\\]|\\.)*?"{3,5}'
    r"|'''(?:.|\n)*?'{3,5}"
    r'|"(?:[^"\\\n]|\\.)*"'
    r"|'[^'\n]*'",
    re.DOTALL,
)


def key_positions(text: str) -> dict[KeyPath, Position]:
    """Return the place of every key and array item of a document that `tomllib` accepts."""
    scanner = _Scanner(text)
    scanner.document()
    return scanner.positions


class _Scanner:
    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.positions: dict[KeyPath, Position] = {}
        self._lines = [0, *(found.end() for found in re.finditer("\n", text))]
        self._tables: dict[KeyPath, int] = {}

    def document(self) -> None:
        base: KeyPath = ()
        self._skip(_BLANK)
        while self.at < len(self.text):
            base = self._header() if self.text[self.at] == "[" else self._entry(base)
            self._skip(_BLANK)

    def _header(self) -> KeyPath:
        repeated = self.text.startswith("[[", self.at)
        start = self.at
        self.at += 2 if repeated else 1
        keys = tuple(key for key, _ in self._dotted_key())
        self.at += 2 if repeated else 1
        path = self._inside_arrays(keys[:-1]) + keys[-1:]
        if repeated:
            index = self._tables.get(path, -1) + 1
            self._tables[path] = index
            self._note(path, start)
            path = (*path, index)
        else:
            path = self._inside_arrays(keys)
        self._note(path, start)
        return path

    def _inside_arrays(self, keys: KeyPath) -> KeyPath:
        """Insert the current index after each key that names an array of tables."""
        path: KeyPath = ()
        for key in keys:
            path = (*path, key)
            if path in self._tables:
                path = (*path, self._tables[path])
        return path

    def _entry(self, base: KeyPath) -> KeyPath:
        path = base
        for key, start in self._dotted_key():
            path = (*path, key)
            self._note(path, start)
        self._skip(_INLINE_BLANK)
        self.at += 1  # the equals sign
        self._value(path)
        return base

    def _dotted_key(self) -> list[tuple[str, int]]:
        keys: list[tuple[str, int]] = []
        while True:
            self._skip(_INLINE_BLANK)
            start = self.at
            keys.append((self._key(), start))
            self._skip(_INLINE_BLANK)
            if not self.text.startswith(".", self.at):
                return keys
            self.at += 1

    def _key(self) -> str:
        bare = _BARE_KEY.match(self.text, self.at)
        found = bare or _STRING.match(self.text, self.at)
        if found is None:
            msg = f"no key at character {self.at}: the text is not TOML"
            raise ValueError(msg)
        self.at = found.end()
        return found.group() if bare else _unquoted(found.group())

    def _value(self, path: KeyPath) -> None:
        self._skip(_INLINE_BLANK)
        opening = self.text[self.at : self.at + 1]
        if opening == "[":
            self._array(path)
        elif opening == "{":
            self._inline_table(path)
        elif (found := _STRING.match(self.text, self.at)) is not None:
            self.at = found.end()
        else:
            self._skip(_SCALAR)

    def _array(self, path: KeyPath) -> None:
        self.at += 1
        self._skip(_BLANK)
        index = 0
        while not self.text.startswith("]", self.at):
            self._note((*path, index), self.at)
            self._value((*path, index))
            index += 1
            self._separator()
        self.at += 1

    def _inline_table(self, path: KeyPath) -> None:
        self.at += 1
        self._skip(_BLANK)
        while not self.text.startswith("}", self.at):
            self._entry(path)
            self._separator()
        self.at += 1

    def _separator(self) -> None:
        self._skip(_BLANK)
        if self.text.startswith(",", self.at):
            self.at += 1
            self._skip(_BLANK)

    def _skip(self, pattern: re.Pattern[str]) -> None:
        found = pattern.match(self.text, self.at)
        self.at = found.end() if found else self.at

    def _note(self, path: KeyPath, start: int) -> None:
        line = bisect_right(self._lines, start)
        self.positions.setdefault(path, (line, start - self._lines[line - 1] + 1))


def _unquoted(literal: str) -> str:
    """Return the text a quoted key stands for, escapes resolved."""
    value = tomllib.loads(f"key = {literal}")["key"]
    assert isinstance(value, str)
    return value
