"""Reading `limits.json` of the state directory."""

from __future__ import annotations

from typing import TYPE_CHECKING

from artifactize.domain.limits import parse_limits
from artifactize.errors import StateError
from oskit.files import StorageError, StorageMissingError, read_bounded

if TYPE_CHECKING:
    from pathlib import Path

FILE = "limits.json"
_MOST_BYTES = 64 * 1024


def read_limits(state_dir: Path) -> dict[str, int]:
    """Return the limit of each backend that has one; none without the file. Raises StateError."""
    path = state_dir / FILE
    try:
        return parse_limits(read_bounded(path, _MOST_BYTES).decode())
    except StorageMissingError:
        return {}
    except StorageError as failure:
        raise StateError(failure.message, hint=failure.hint) from failure
    except ValueError as failure:
        hint = 'an example: {"backends": {"runtime": 8}}'
        raise StateError(f"cannot use {path}: {failure}", hint=hint) from failure
