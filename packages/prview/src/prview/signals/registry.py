"""All signals, in the order in which they are shown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from prview.signals.breaking.analyzer import BreakingChanges
from prview.signals.coverage.analyzer import Coverage
from prview.signals.cycles.analyzer import Cycles
from prview.signals.dead_code import DeadCode
from prview.signals.dependencies.analyzer import Dependencies
from prview.signals.duplication import Duplication
from prview.signals.ghosts.analyzer import Ghosts
from prview.signals.hotspots.analyzer import Hotspots
from prview.signals.i18n.analyzer import Translations
from prview.signals.owners.analyzer import Owners
from prview.signals.schema.analyzer import Schema
from prview.signals.size import Size
from prview.signals.suppressions.analyzer import Suppressions
from prview.signals.themes import Themes
from prview.signals.todo import Todo
from prview.signals.unsafe.analyzer import Unsafe

if TYPE_CHECKING:
    from prview.signals.base import Analyzer

SIGNALS: tuple[Analyzer, ...] = (
    BreakingChanges(),
    Ghosts(),
    Dependencies(),
    Schema(),
    Unsafe(),
    Suppressions(),
    Coverage(),
    Cycles(),
    DeadCode(),
    Duplication(),
    Translations(),
    Todo(),
    Hotspots(),
    Owners(),
    Themes(),
    Size(),
)
