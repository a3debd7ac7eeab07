"""From models to rows and back."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    import sqlalchemy as sa

_Model = TypeVar("_Model")


def values(model: Any) -> dict[str, Any]:  # noqa: ANN401 - any of the stored dataclasses
    """Return the columns of a stored model."""
    return {each.name: getattr(model, each.name) for each in fields(model)}


def one(model: type[_Model], found: sa.CursorResult[Any]) -> _Model | None:
    """Return the only row as a model, or None."""
    row = found.mappings().one_or_none()
    return None if row is None else model(**row)


def many(model: type[_Model], found: sa.CursorResult[Any]) -> list[_Model]:
    """Return all rows as models."""
    return [model(**row) for row in found.mappings()]
