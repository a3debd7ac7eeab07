"""All checks, in the order in which they are shown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from prview.checks.conflict_markers import ConflictMarkers
from prview.checks.pytest import Pytest
from prview.checks.ruff import Ruff
from prview.checks.secrets import Secrets

if TYPE_CHECKING:
    from prview.checks.base import Check

CHECKS: tuple[Check, ...] = (ConflictMarkers(), Secrets(), Ruff(), Pytest())
