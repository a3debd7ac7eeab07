"""The verdict, computed from typed facts and never from the text of a limitation."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from codevetter_verify.models import RouteOutcome, Verdict


class RunCause(StrEnum):
    """Why a run as a whole is incomplete."""

    SOURCE_UNRESOLVED = "source_unresolved"
    NOTHING_TO_VERIFY = "nothing_to_verify"
    SOURCE_TOO_LARGE = "source_too_large"
    PREVIEW_UNREACHABLE = "preview_unreachable"
    PREVIEW_NOT_LIVE = "preview_not_live"
    PREVIEW_WALL = "preview_wall"
    PREVIEW_SHIELD = "preview_shield"
    ADDRESS_REFUSED = "address_refused"
    REVISION_MISMATCH = "revision_mismatch"
    REVISION_CHANGED = "revision_changed"
    HEAD_MOVED = "head_moved"
    BROWSER_MISSING = "browser_missing"
    BROWSER_FAILED = "browser_failed"
    RUN_DEADLINE = "run_deadline"
    CANCELLED = "cancelled"
    REVOKED = "revoked"
    INTERRUPTED = "interrupted"
    CLEANUP_FAILED = "cleanup_failed"
    PERSISTENCE_FAILED = "persistence_failed"
    INTERNAL_ERROR = "internal_error"


RETRYABLE = frozenset(
    {
        RunCause.PREVIEW_UNREACHABLE,
        RunCause.PREVIEW_NOT_LIVE,
        RunCause.PREVIEW_SHIELD,
        RunCause.REVISION_CHANGED,
        RunCause.HEAD_MOVED,
        RunCause.RUN_DEADLINE,
        RunCause.CANCELLED,
        RunCause.INTERRUPTED,
    },
)
"""Causes that the same call may not meet again a little later."""


def decide(outcomes: Sequence[RouteOutcome], *, planned: int, causes: Collection[str]) -> Verdict:
    """`passed_with_limits` needs every planned route passed and nothing amiss.

    `failed` needs the run complete.
    """
    complete = not causes and planned > 0 and len(outcomes) == planned and "inconclusive" not in outcomes
    if not complete:
        return "no_confidence"
    return "failed" if "failed" in outcomes else "passed_with_limits"
