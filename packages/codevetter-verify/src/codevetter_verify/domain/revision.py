"""What a preview says about its own revision, and whether that is the change's head."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

HEADERS = ("x-commit-sha", "x-git-commit", "x-git-sha", "x-vercel-git-commit-sha", "x-codevetter-revision")
"""In order of precedence; `<meta name>` of the same names is weaker evidence."""

_REVISION = re.compile(r"[0-9a-f]{7,64}")
_DECORATION = re.compile(r"^(?:w/)?[\"']?(?P<value>[^\"']*)[\"']?$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Identity:
    """How a response identified itself, in words that a receipt can keep."""

    status: Literal["verified", "claimed", "mismatch"]
    revision: str | None
    evidence: str


@dataclass(frozen=True, slots=True)
class Statement:
    """One revision that one named place of a response stated."""

    name: str
    revision: str


def statements(values: Mapping[str, Iterable[str]]) -> tuple[Statement, ...]:
    """The revisions in headers (or metas) given as name to values.

    What is no revision (a branch name) is ignored.
    """
    lowered = {name.lower(): list(held) for name, held in values.items()}
    return tuple(
        Statement(name, revision)
        for name in HEADERS
        for value in lowered.get(name, [])
        for revision in _revisions(value)
    )


def _revisions(value: str) -> list[str]:
    parts = (_DECORATION.match(part.strip()) for part in value.split(",")[:16])
    cleaned = [match["value"].strip().lower() for match in parts if match]
    return [part for part in cleaned if _REVISION.fullmatch(part)]


def identify(head: str, headers: tuple[Statement, ...], metas: tuple[Statement, ...] = ()) -> Identity:
    """Compare what a response states with `head`, a full commit id in lower case."""
    stated = headers or metas
    if not stated:
        return Identity(
            "claimed", None, "the preview names no revision; that it shows this change is the caller's claim"
        )
    place = "header" if headers else "meta"
    wrong = [s for s in (*headers, *metas) if not head.startswith(s.revision)]
    if wrong:
        return Identity("mismatch", wrong[0].revision, _mismatch(wrong, stated, head))
    best = max(stated, key=lambda s: len(s.revision))
    kind = (
        "the full commit id" if best.revision == head else f"an abbreviation of {len(best.revision)} digits"
    )
    return Identity("verified", best.revision, f"{place} {best.name} states {kind} of the head")


def _mismatch(wrong: list[Statement], stated: tuple[Statement, ...], head: str) -> str:
    right = next((s for s in stated if head.startswith(s.revision)), None)
    if right:
        return f"{wrong[0].name} states {wrong[0].revision} while {right.name} states {right.revision}"
    return f"{wrong[0].name} states {wrong[0].revision}; the head is {head}"
