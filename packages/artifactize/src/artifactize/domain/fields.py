"""Reading a TOML table field by field, noting every mistake instead of stopping at the first."""

from __future__ import annotations

import difflib
import math
import re
from datetime import date, time
from typing import TYPE_CHECKING, TypeAlias, cast

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from artifactize.domain.declarations import Json
    from artifactize.domain.problems import Problem, Source
    from artifactize.domain.toml_positions import KeyPath

Fault: TypeAlias = "Callable[[str], str | None]"
"""Says what is wrong with a text, or None."""

_SAID = {
    bool: "a boolean",
    int: "a whole number",
    float: "a number",
    str: "a string",
    list: "a list",
    dict: "a table",
}


class Mistakes:
    """The mistakes of one file, collected while it is read."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.found: list[Problem] = []

    def add(self, path: KeyPath, message: str) -> None:
        """Note a mistake at a key."""
        self.found.append(self.source.problem(path, message))


class Table:
    """A table being read: each accessor marks its key as known; `close` reports the keys nobody asked for."""

    def __init__(self, value: Mapping[str, object], path: KeyPath, mistakes: Mistakes) -> None:
        self._value = value
        self._known: list[str] = []
        self.path = path
        self.mistakes = mistakes

    def has(self, key: str) -> bool:
        """Whether the key is present; marks it as known."""
        self._known.append(key)
        return key in self._value

    def raw(self, key: str) -> object:
        """Return the value as TOML gave it, or None when it is absent."""
        self._known.append(key)
        return self._value.get(key)

    def add(self, key: str, message: str) -> None:
        """Note a mistake at a key of this table."""
        self.mistakes.add((*self.path, key), message)

    def text(self, key: str, *, required: bool = False, fault: Fault | None = None) -> str | None:
        """Return a non-blank string; `fault` may refuse it with a reason."""
        value = self._typed(key, str, "a string", required=required)
        if value is None:
            return None
        text = cast("str", value)
        problem = f"{key} is blank" if not text.strip() else fault(text) if fault else None
        if problem is None:
            return text
        self.add(key, problem)
        return None

    def flag(self, key: str) -> bool:
        """Return a boolean, false when absent."""
        return bool(self._typed(key, bool, "true or false"))

    def whole(self, key: str, *, default: int, least: int, most: int) -> int:
        """Return an integer within bounds."""
        value = self._typed(key, int, "a whole number")
        if value is None:
            return default
        number = cast("int", value)
        if least <= number <= most:
            return number
        self.add(key, f"{number} is not between {least} and {most}")
        return default

    def texts(
        self,
        key: str,
        *,
        most: int,
        least: int = 0,
        fault: Fault | None = None,
        unique: bool = True,
    ) -> tuple[str, ...] | None:
        """Return a list of strings, or None when the key is absent or is not such a list."""
        items = self._items(key, least=least, most=most)
        if items is None:
            return None
        found = [self._item(key, index, items, fault, unique=unique) for index in range(len(items))]
        return tuple(text for text in found if text is not None)

    def whole_numbers(self, key: str, *, least: int, most: int) -> tuple[int, ...]:
        """Return a list of distinct integers within bounds, sorted."""
        items = self._items(key, least=0, most=most - least + 1) or ()
        numbers = [item for item in items if isinstance(item, int) and not isinstance(item, bool)]
        if len(numbers) < len(items) or not all(least <= number <= most for number in numbers):
            self.add(key, f"expected whole numbers from {least} to {most}")
        return tuple(sorted(set(numbers)))

    def table(self, key: str, *, required: bool = False) -> Table | None:
        """Return a nested table."""
        value = self._typed(key, dict, "a table", required=required)
        return (
            None
            if value is None
            else Table(cast("dict[str, object]", value), (*self.path, key), self.mistakes)
        )

    def tables(self) -> list[tuple[str, Table]]:
        """Return every entry of this table as a nested table, sorted by key."""
        self._known.extend(self._value)
        return [(key, nested) for key in sorted(self._value) if (nested := self.table(key)) is not None]

    def entries(self) -> Mapping[str, object]:
        """Return all entries, and mark them as known."""
        self._known.extend(self._value)
        return self._value

    def json(self) -> dict[str, Json]:
        """Return the whole table as JSON data; dates and non-finite numbers are mistakes."""
        self._known.extend(self._value)
        return cast("dict[str, Json]", _json(dict(self._value), self.path, self.mistakes))

    def close(self) -> None:
        """Note every key that no accessor knows."""
        for key in self._value:
            if key not in self._known:
                self.add(key, _unknown(key, self._known))

    def _typed(self, key: str, wanted: type, said: str, *, required: bool = False) -> object | None:
        self._known.append(key)
        if key not in self._value:
            if required:
                self.mistakes.add((*self.path, key), f"{key} is missing; it is {said}")
            return None
        value = self._value[key]
        if isinstance(value, wanted) and not (wanted is int and isinstance(value, bool)):
            return value
        self.add(key, f"expected {said}, not {_said(value)}")
        return None

    def _items(self, key: str, *, least: int, most: int) -> Sequence[object] | None:
        value = self._typed(key, list, "a list")
        if value is None:
            return None
        items = cast("list[object]", value)
        if least <= len(items) <= most:
            return items
        self.add(key, f"expected {least} to {most} items, not {len(items)}")
        return None

    def _item(
        self, key: str, index: int, items: Sequence[object], fault: Fault | None, *, unique: bool
    ) -> str | None:
        item = items[index]
        if not isinstance(item, str):
            problem: str | None = f"expected a string, not {_said(item)}"
        elif unique and item in items[:index]:
            problem = f"{item!r} is listed twice"
        else:
            problem = fault(item) if fault else None
        if problem is None:
            return cast("str", item)
        self.mistakes.add((*self.path, key, index), problem)
        return None


def _unknown(key: str, known: Sequence[str]) -> str:
    snake = re.sub(r"(?<=[a-z0-9])([A-Z])", lambda found: "_" + found[1].lower(), key)
    if snake != key and snake in known:
        return f"unknown field; declarations use snake_case: {snake}"
    if close := difflib.get_close_matches(key, known, n=1):
        return f"unknown field; did you mean {close[0]}?"
    return f"unknown field; known here: {', '.join(sorted(set(known)))}"


def _json(value: object, path: KeyPath, mistakes: Mistakes) -> object:
    if isinstance(value, dict):
        return {key: _json(item, (*path, key), mistakes) for key, item in value.items()}
    if isinstance(value, list):
        return [_json(item, (*path, index), mistakes) for index, item in enumerate(value)]
    if isinstance(value, date | time) or (isinstance(value, float) and not math.isfinite(value)):
        mistakes.add(path, f"{_said(value)} has no JSON form; quote it to use it as a string")
        return None
    return value


def _said(value: object) -> str:
    if isinstance(value, float) and not math.isfinite(value):
        return "a number that is not finite"
    return _SAID.get(type(value), "a date or time")
