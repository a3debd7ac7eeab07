"""Names under which runs are kept: readable, safe on every file system, and never shared by two branches."""

from __future__ import annotations

import hashlib
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import datetime

SHORT = 7
"""Characters of a commit id on the wire and in run ids."""

_UNSAFE = re.compile(r"[^a-z0-9._-]+")
_RUN_ID = re.compile(r"^[0-9]{8}-[0-9]{6}(-[0-9a-f]{4,64})?(-[0-9]{1,4})?$")


def short(commit: str) -> str:
    """The short form of a full commit id."""
    return commit[:SHORT]


def branch_key(branch: str | None, commit: str) -> str:
    """The folder of a branch's runs; a detached HEAD goes under its commit, so that it is found again.

    The digest keeps `a/b`, `a-b` and `A-b` apart where the readable part cannot.
    """
    if branch is None:
        return f"detached-{commit[:12]}"
    readable = _UNSAFE.sub("-", branch.lower()).strip("-.")[:48] or "branch"
    return f"{readable}-{hashlib.sha256(branch.encode('utf-8', 'surrogateescape')).hexdigest()[:8]}"


def run_id(started: datetime, commit: str, *, collision: int = 0) -> str:
    """`YYYYMMDD-HHMMSS-<short sha>`, with a number when that is taken."""
    name = f"{started:%Y%m%d-%H%M%S}-{short(commit)}"
    return f"{name}-{collision}" if collision else name


def is_run_id(text: str) -> bool:
    """Whether a text can be a run id of ours (also the older form without a commit): no path, no surprise."""
    return _RUN_ID.fullmatch(text) is not None
