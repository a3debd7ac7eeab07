"""Counts with their noun."""

from __future__ import annotations


def counted(count: int, noun: str) -> str:
    """`1 path`, `2 paths`, `0 paths`; for nouns whose plural is an s."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
