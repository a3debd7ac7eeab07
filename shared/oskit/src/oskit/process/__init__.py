"""Starting, supervising and ending programs: the one place in the repository that does.

`run` is for programs that finish, `supervise` for programs that serve, `spawn_detached` for workers that
outlive us.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from oskit.process._blocking import kill_tree, run_blocking
    from oskit.process._detached import spawn_detached
    from oskit.process._environment import clean_environment, find_program
    from oskit.process._errors import ProcessError, ProgramMissingError, StartError
    from oskit.process._identity import ProcessIdentity
    from oskit.process._supervise import CAPTURE_LIMIT, Completed, Supervised, run, supervise

__all__ = [
    "CAPTURE_LIMIT",
    "Completed",
    "ProcessError",
    "ProcessIdentity",
    "ProgramMissingError",
    "StartError",
    "Supervised",
    "clean_environment",
    "find_program",
    "kill_tree",
    "run",
    "run_blocking",
    "spawn_detached",
    "supervise",
]

_HOMES = {
    "blocking": ("kill_tree", "run_blocking"),
    "detached": ("spawn_detached",),
    "environment": ("clean_environment", "find_program"),
    "errors": ("ProcessError", "ProgramMissingError", "StartError"),
    "identity": ("ProcessIdentity",),
    "supervise": ("CAPTURE_LIMIT", "Completed", "Supervised", "run", "supervise"),
}


def __getattr__(name: str) -> object:
    """Import a name when it is asked for: a lock needs identities and not the event loop (30 ms)."""
    for home, names in _HOMES.items():
        if name in names:
            value = getattr(importlib.import_module(f"{__name__}._{home}"), name)
            globals()[name] = value
            return value
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
