"""Older or newer: enough of PEP 440, semantic versions and Go's to order what lock files hold."""

from __future__ import annotations

import re

_RELEASE = re.compile(r"^[v=^~><! ]*(?:\d+!)?(\d+(?:\.\d+)*)(.*)$")
_PART = re.compile(r"\d+|[a-z]+")
_AFTER = frozenset({"post", "rev", "r"})

Key = tuple[tuple[int, ...], int, tuple[tuple[int, str], ...]]


def version_key(version: str) -> Key | None:
    """What versions are ordered by; None for what is no version (a commit, a branch, a range)."""
    match = _RELEASE.match(version.strip().lower())
    if not match:
        return None
    release = [int(part) for part in match[1].split(".")]
    while release and release[-1] == 0:
        release.pop()
    rest = match[2].split("+", 1)[0]
    parts = _PART.findall(rest)
    stage = 0 if not parts else (1 if parts[0] in _AFTER else -1)
    return tuple(release), stage, tuple((int(part), "") if part.isdigit() else (0, part) for part in parts)


def is_newer(new: str, old: str) -> bool | None:
    """Whether `new` comes after `old`; None when that cannot be told."""
    keys = version_key(new), version_key(old)
    if keys[0] is None or keys[1] is None or keys[0] == keys[1]:
        return None
    return keys[0] > keys[1]


def is_major(new: str, old: str) -> bool:
    """Whether a compatible-by-convention range is left: the first number changes, the second below 1.0."""
    first, second = version_key(new), version_key(old)
    if first is None or second is None:
        return False
    return _compatible(first[0]) != _compatible(second[0])


def _compatible(release: tuple[int, ...]) -> tuple[int, ...]:
    padded = (*release, 0, 0)
    return padded[:1] if padded[0] else padded[:2]
