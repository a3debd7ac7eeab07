"""From models to rows and back."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, Any, TypeVar

from sqlalchemy.dialects.sqlite.base import SQLiteDialect

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    import sqlalchemy as sa

_Model = TypeVar("_Model")
_BATCH = 500


def values(model: Any) -> dict[str, Any]:  # noqa: ANN401 - any of the stored dataclasses
    """Return the columns of a stored model."""
    return {each.name: getattr(model, each.name) for each in fields(model)}


def encoded(table: sa.Table, models: Sequence[Any]) -> tuple[list[str], list[tuple[Any, ...]]]:
    """Return the columns of a table, and models as they lie in them: for writing rows without SQLAlchemy."""
    dialect = SQLiteDialect()
    writers = [(str(column.name), column.type.bind_processor(dialect)) for column in table.columns]
    rows = [tuple(_plain(getattr(each, name), write) for name, write in writers) for each in models]
    return [name for name, _ in writers], rows


def _plain(value: Any, write: Callable[[Any], Any] | None) -> Any:  # noqa: ANN401 - any column
    written = value if write is None else write(value)
    return str(written) if isinstance(written, str) else written  # a member of an enumeration is a str, too


def batches(wanted: Iterable[str]) -> Iterator[list[str]]:
    """Yield what one query can ask for at a time: databases bound the number of its parameters."""
    everything = list(dict.fromkeys(wanted))
    return (everything[start : start + _BATCH] for start in range(0, len(everything), _BATCH))


def one(model: type[_Model], found: sa.CursorResult[Any]) -> _Model | None:
    """Return the only row as a model, or None."""
    row = found.mappings().one_or_none()
    return None if row is None else model(**row)


def many(model: type[_Model], found: sa.CursorResult[Any]) -> list[_Model]:
    """Return all rows as models."""
    return [model(**row) for row in found.mappings()]
