"""How reviewers are named."""

from __future__ import annotations

import unicodedata

MAX_REVIEWER_CHARS = 200


def reviewer_fault(name: str) -> str | None:
    """Return what is wrong with a reviewer's name, as a rule an address of git; None when nothing is."""
    if not name.strip() or name != name.strip() or len(name) > MAX_REVIEWER_CHARS:
        return f"a reviewer's name has 1 to {MAX_REVIEWER_CHARS} characters, no blanks around it"
    if any(unicodedata.category(char) in {"Cc", "Cf", "Cs", "Zl", "Zp"} for char in name):
        return "a reviewer's name holds no control or invisible characters"
    return None


def same_person(one: str, other: str) -> bool:
    """Whether two names are of one reviewer: addresses differ by more than their case."""
    return one.casefold() == other.casefold()
