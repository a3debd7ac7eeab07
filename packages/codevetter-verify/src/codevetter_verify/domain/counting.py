"""Counts with their noun."""

from __future__ import annotations


def counted(count: int, noun: str) -> str:
    """`1 path`, `2 paths`, `0 paths`; for nouns whose plural is an s."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def sized(count: int) -> str:
    """A number of bytes for people, in decimal units: `712 B`, `1.4 kB`, `20.5 MB`."""
    for unit, size in (("MB", 1_000_000), ("kB", 1000)):
        if count >= size:
            return f"{count / size:.1f} {unit}"
    return f"{count} B"
