"""The supervisor for callers that are not async."""

from __future__ import annotations

import contextvars
import functools
import time
from typing import TYPE_CHECKING

import anyio

from oskit.process import _table as table
from oskit.process._mark import Mark
from oskit.process._supervise import CAPTURE_LIMIT, Completed, run
from oskit.process._tree import Tree

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from oskit.process._identity import ProcessIdentity
    from oskit.process._start import Argument


def run_blocking(  # noqa: PLR0913 - see supervise
    argv: Sequence[Argument],
    *,
    deadline_s: float | None,
    cwd: Path | None = None,
    env: Mapping[str, str] | None = None,
    input: bytes | None = None,  # noqa: A002 - named as in subprocess.run
    capture_limit: int = CAPTURE_LIMIT,
    stdout_to: Path | None = None,
    stderr_to: Path | None = None,
    grace_s: float = 1.0,
) -> Completed:
    """Do what `run` does, in this thread, which must not run an event loop."""
    call = functools.partial(
        run,
        argv,
        deadline_s=deadline_s,
        cwd=cwd,
        env=env,
        input=input,
        capture_limit=capture_limit,
        stdout_to=stdout_to,
        stderr_to=stderr_to,
        grace_s=grace_s,
    )
    # asyncio hands its threads a copy of its own context, where sniffio, if it is installed, finds a loop
    return contextvars.Context().run(anyio.run, call)


def kill_tree(identity: ProcessIdentity, *, grace_s: float = 1.0) -> int:
    """End `identity` and all its descendants, whoever started it, and return how many processes were ended.

    SIGTERM, then SIGKILL after `grace_s`; also reaches descendants in sessions of their own and, when
    `identity` itself is dead already, the rest of its session and whatever it ran with `run`. Blocks for
    the grace and a few seconds at most. A process that got the number of a dead one is not touched.
    """
    tree = Tree(identity, mark=Mark.of_supervisor(identity), pinned=_keeps_number(identity))
    for wait_s in tree.end(grace_s):
        time.sleep(wait_s)
    return tree.ended


def _keeps_number(identity: ProcessIdentity) -> bool:
    """Whether a group or session with its number is its own: one that still has members keeps it taken."""
    row = table.read(identity.pid)
    return row is None or identity.row() is not None
