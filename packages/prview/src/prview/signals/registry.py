"""All signals, in the order in which they are shown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from prview.signals.breaking.analyzer import BreakingChanges

if TYPE_CHECKING:
    from prview.signals.base import Analyzer

SIGNALS: tuple[Analyzer, ...] = (BreakingChanges(),)
