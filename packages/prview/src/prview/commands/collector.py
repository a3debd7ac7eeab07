"""How often a command that ends soon looks for garbage."""

from __future__ import annotations

import gc

_OBJECTS = 200_000
"""New objects between two looks. A review makes millions that it keeps: looking often finds nothing."""


def collect_rarely() -> None:
    """Look for cycles of garbage seldom; for a process that does one thing. Saves a tenth of its time."""
    gc.set_threshold(_OBJECTS, 20, 20)
