"""Reads a branch the way a good reviewer does: a review pack and one merge verdict."""

from __future__ import annotations

__version__ = "0.1.0"
