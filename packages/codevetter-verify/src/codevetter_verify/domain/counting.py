"""Counts with their noun."""

from __future__ import annotations


def counted(count: int, noun: str) -> str:
    """`1 path`, `2 paths`, `0 paths`; for nouns whose plural is an s."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def sized(count: int) -> str:
    """A number of bytes for people, in decimal units: `712 B`, `14 kB`, `20.5 MB`."""
    if count < 1000:  # noqa: PLR2004 - decimal units
        return f"{count} B"
    return f"{count / 1000:.0f} kB" if count < 1_000_000 else f"{count / 1_000_000:.1f} MB"  # noqa: PLR2004 - as above
