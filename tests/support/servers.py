"""The servers that the protocol contract is held against, and how each is started."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

_TESTS = Path(__file__).parents[1]


def _nothing(_directory: Path) -> tuple[str, ...]:
    return ()


@dataclass(frozen=True)
class ServerUnderTest:
    """A server's command, and one call of it that succeeds quickly anywhere (None: there is none).

    `options` makes what the server needs in an empty directory and gives the options that name it.
    """

    name: str
    command: tuple[str, ...]
    call: tuple[str, Mapping[str, object]] | None = None
    max_list_bytes: int = 12 * 1024
    env: Mapping[str, str] = field(default_factory=dict)
    options: Callable[[Path], tuple[str, ...]] = _nothing

    def prepared(self, directory: Path) -> ServerUnderTest:
        """This server with all its options, on things in `directory`."""
        return replace(self, command=(*self.command, *self.options(directory)), options=_nothing)

    def environment(self) -> dict[str, str]:
        """Ours, with what this server needs."""
        return {**os.environ, **self.env}


def _empty_repository(directory: Path) -> tuple[str, ...]:
    repository = directory / "repository"
    subprocess.run(["git", "init", "-q", str(repository)], check=True)
    return ("--repo", str(repository), "--state-dir", str(directory / "state"))


DEMO = ServerUnderTest(
    "demo",
    (sys.executable, "-m", "support.demo_server"),
    ("add", {"a": 2, "b": 3}),
    env={"PYTHONPATH": str(_TESTS)},
)
PRVIEW = ServerUnderTest("prview", (sys.executable, "-m", "prview", "mcp"), ("health", {}))
ARTIFACTIZE = ServerUnderTest(
    "artifactize",
    (sys.executable, "-m", "artifactize", "mcp"),
    ("run_list", {}),
    max_list_bytes=24 * 1024,
    options=_empty_repository,
)
SERVERS = (DEMO, PRVIEW, ARTIFACTIZE)
"""Add a server here, and the whole contract applies to it."""
