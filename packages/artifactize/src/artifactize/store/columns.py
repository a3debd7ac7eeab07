"""Column types: plain TEXT and INTEGER in the file, so that any SQLite reader understands it."""

from __future__ import annotations

import json
from enum import StrEnum
from typing import Any

import sqlalchemy as sa


class EnumText(sa.TypeDecorator[StrEnum]):
    """A StrEnum stored as its value: STRICT tables know TEXT, not the VARCHAR(n) of `sa.Enum`."""

    impl = sa.Text
    cache_ok = True

    def __init__(self, enum: type[StrEnum]) -> None:
        super().__init__()
        self.enum = enum

    def process_bind_param(self, value: StrEnum | None, dialect: sa.Dialect) -> str | None:
        """Return the text of a member."""
        del dialect
        return None if value is None else self.enum(value).value

    def process_result_value(self, value: str | None, dialect: sa.Dialect) -> StrEnum | None:
        """Return the member of a text."""
        del dialect
        return None if value is None else self.enum(value)


class JsonText(sa.TypeDecorator[Any]):
    """JSON data stored as compact ASCII text; lone surrogates (file names) survive as escapes."""

    impl = sa.Text
    cache_ok = True

    def process_bind_param(self, value: Any, dialect: sa.Dialect) -> str:  # noqa: ANN401 - any JSON data
        """Return the text."""
        del dialect
        return json.dumps(value, separators=(",", ":"), default=dict)

    def process_result_value(self, value: str | None, dialect: sa.Dialect) -> Any:  # noqa: ANN401 - any JSON data
        """Return the data."""
        del dialect
        return None if value is None else json.loads(value)


class Flag(sa.TypeDecorator[bool]):
    """A boolean stored as 0 or 1."""

    impl = sa.Integer
    cache_ok = True

    def process_bind_param(self, value: bool | None, dialect: sa.Dialect) -> int | None:  # noqa: FBT001 - SQLAlchemy's
        """Return 0 or 1."""
        del dialect
        return None if value is None else int(value)

    def process_result_value(self, value: int | None, dialect: sa.Dialect) -> bool | None:
        """Return the boolean."""
        del dialect
        return None if value is None else bool(value)


def one_of(column: str, enum: type[StrEnum]) -> sa.CheckConstraint:
    """Return a constraint that holds even for a writer that is not us."""
    return sa.CheckConstraint(
        f"{column} IN ({', '.join(repr(str(m)) for m in enum)})", name=f"{column}_known"
    )
