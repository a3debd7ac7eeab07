"""All checks, in the order in which they are shown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from prview.checks.bandit import Bandit
from prview.checks.conflict_markers import ConflictMarkers
from prview.checks.mypy import Mypy
from prview.checks.pip_audit import PipAudit
from prview.checks.pyright import Pyright
from prview.checks.pytest import Pytest
from prview.checks.ruff import Ruff
from prview.checks.ruff_format import RuffFormat
from prview.checks.secrets import Secrets
from prview.checks.ty import Ty

if TYPE_CHECKING:
    from prview.checks.base import Check

ANY_TEXT: tuple[Check, ...] = (ConflictMarkers(), Secrets())
PYTHON: tuple[Check, ...] = (
    Ruff(),
    RuffFormat(),
    Mypy(),
    Pyright(),
    Ty(),
    Bandit(),
    PipAudit(),
    Pytest(),
)

CHECKS: tuple[Check, ...] = (*ANY_TEXT, *PYTHON)
