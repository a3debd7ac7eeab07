"""The past of the changed files: who touched them, how often, and how many of those commits were repairs."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from oskit.git import GitError, Limits, display
from prview.signals.own import own_files
from prview.signals.per_run import PerRun

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from oskit.git import Touch
    from prview.signals.base import SignalContext

MAX_COMMITS = 2000
"""Newest commits that touched a changed file; older ones say little about today's risk."""

MAX_PATHS = 2000
_LIMITS = Limits(deadline_s=20.0)
_FIX = re.compile(
    r"\b(?:fix(?:es|ed|ing)?|bug(?:s|fix)?|hotfix|regression|revert(?:s|ed)?|crash(?:es)?|broken)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Past:
    """One commit that touched a file. `is_fix` judges by the words of its subject."""

    sha: str
    author: str
    email: str
    time: datetime
    subject: str
    lines: int

    @property
    def is_fix(self) -> bool:
        """Whether the subject speaks of a repair."""
        return _FIX.search(self.subject) is not None


@dataclass(frozen=True)
class History:
    """`of` has the commits of each file (path in the merge base), newest first.

    `problem` is a sentence when the past could not be read, or not whole.
    """

    of: Mapping[str, tuple[Past, ...]]
    problem: str | None = None


async def _history(context: SignalContext) -> History:
    own = await own_files(context)
    old = [file.old_path or file.path for file in own.files if file.status not in {"A", "C"}]
    try:
        touches = await context.repository.touches(
            context.change.merge_base,
            [path.encode() for path in old[:MAX_PATHS]],
            commits=MAX_COMMITS,
            limits=_LIMITS,
        )
    except GitError as exc:
        return History({}, f"the past of the changed files could not be read: {exc.message}")
    return History(_by_path(touches), _said(context, len(touches), len(old)))


def _said(context: SignalContext, commits: int, paths: int) -> str | None:
    if paths > MAX_PATHS:
        return f"the past of {MAX_PATHS} of {paths} files was read"
    if context.repository.shallow:
        return "the clone is shallow: older commits are unknown"
    return f"the newest {MAX_COMMITS} commits were read" if commits == MAX_COMMITS else None


def _by_path(touches: tuple[Touch, ...]) -> dict[str, tuple[Past, ...]]:
    found: dict[str, list[Past]] = {}
    for touch in touches:
        for file in touch.files:
            lines = (file.added or 0) + (file.deleted or 0)
            past = Past(touch.sha, touch.author, touch.email, touch.time, touch.subject, lines)
            found.setdefault(display(file.path), []).append(past)
    return {path: tuple(pasts) for path, pasts in found.items()}


history_of = PerRun(_history)
"""`await history_of(context)`: the `History` of a run."""
