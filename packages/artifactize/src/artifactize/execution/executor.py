"""Where evals are executed: one interface, so that another machine can stand behind it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from artifactize.domain.declarations import RuntimeProfile
    from artifactize.domain.verdicts import Verdict


@dataclass(frozen=True, slots=True)
class Job:
    """One execution: resolved arguments, working directory, the variables it may see, where its output goes.

    `folder` holds the files of the Run: `output_file` says which are this execution's. `name` is its alone.
    """

    profile: RuntimeProfile
    argv: tuple[str, ...]
    cwd: Path
    environment: Mapping[str, str]
    declared_env: tuple[str, ...]
    folder: Path
    name: str


def output_file(folder: Path, name: str, stream: str) -> Path:
    """Return the file with every byte that an execution printed to a stream."""
    return folder / f"{name}.{stream}"


@dataclass(frozen=True, slots=True)
class Stream:
    """What the database keeps of one output: cleaned text of its first 128 KiB, and its size in bytes."""

    text: str
    total_bytes: int


@dataclass(frozen=True, slots=True)
class Execution:
    """How an execution ended; `started` is false when no process of it ever ran."""

    verdict: Verdict
    exit_code: int | None
    duration_ms: int
    stdout: Stream
    stderr: Stream
    started: bool = True


class Executor(Protocol):
    """Executes jobs."""

    async def execute(self, job: Job) -> Execution:
        """Run one job to its end; cancelling it ends every process it started."""
        ...

    async def tidy(self, folder: Path) -> None:
        """Remove from the folder of a Run what only its executions needed."""
        ...
