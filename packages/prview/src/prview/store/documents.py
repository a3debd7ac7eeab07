"""Reading what was stored: bounded, validated, and never trusted to be there."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from pydantic import BaseModel, ValidationError

from oskit.files import StorageError, read_bounded

if TYPE_CHECKING:
    from pathlib import Path

MAX_DOCUMENT = 64 * 1024 * 1024
"""Bytes of one JSON document of a pack."""

_Model = TypeVar("_Model", bound=BaseModel)


def read_document(path: Path, model: type[_Model]) -> _Model | None:
    """Return the document, or None when it is not there or is not what it should be."""
    try:
        return model.model_validate_json(read_bounded(path, MAX_DOCUMENT))
    except (StorageError, ValidationError):
        return None


def document(model: BaseModel) -> bytes:
    """A record as it stands in a pack: indented, keys in the model's order, one line end at the end."""
    return model.model_dump_json(indent=2, by_alias=True).encode() + b"\n"
