"""What the services need from outside, opened by `prview.wiring`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from prview.store.home import Home

QUICK_BUDGET_S = 120.0
"""Seconds a quick review may take over MCP (the contract's number)."""


@dataclass(frozen=True)
class Settings:
    """`command` starts prview again, for reviews that run in a process of their own."""

    home: Home
    command: Sequence[str]
    quick_budget_s: float = QUICK_BUDGET_S
