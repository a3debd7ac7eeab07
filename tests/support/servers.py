"""The servers that the protocol contract is held against, and how each is started."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

_TESTS = Path(__file__).parents[1]


@dataclass(frozen=True)
class ServerUnderTest:
    """A server's command, and one call of it that succeeds quickly anywhere (None: there is none)."""

    name: str
    command: tuple[str, ...]
    call: tuple[str, Mapping[str, object]] | None = None
    max_list_bytes: int = 12 * 1024
    env: Mapping[str, str] = field(default_factory=dict)

    def environment(self) -> dict[str, str]:
        """Ours, with what this server needs."""
        return {**os.environ, **self.env}


def _add_call() -> tuple[str, Mapping[str, object]]:
    return "add", {"a": 2, "b": 3}


DEMO = ServerUnderTest(
    "demo", (sys.executable, "-m", "support.demo_server"), _add_call(), env={"PYTHONPATH": str(_TESTS)}
)
SERVERS: list[ServerUnderTest] = [DEMO]
"""Add a server here, and the whole contract applies to it."""
