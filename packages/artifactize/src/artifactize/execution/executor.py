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

    `output` is a private folder of this request alone; `stdout` and `stderr` in it hold every byte.
    """

    profile: RuntimeProfile
    argv: tuple[str, ...]
    cwd: Path
    environment: Mapping[str, str]
    declared_env: tuple[str, ...]
    output: Path


@dataclass(frozen=True, slots=True)
class Stream:
    """What the database keeps of one output: cleaned text of its first 128 KiB, and its size in bytes."""

    text: str
    total_bytes: int


@dataclass(frozen=True, slots=True)
class Execution:
    """How an execution ended."""

    verdict: Verdict
    exit_code: int | None
    duration_ms: int
    stdout: Stream
    stderr: Stream


class Executor(Protocol):
    """Executes jobs."""

    async def execute(self, job: Job) -> Execution:
        """Run one job to its end; cancelling it ends every process it started."""
        ...
