"""Why prview could not do what it was asked: the ten classes of its contract.

ToolError
└── PrviewError
    ├── RepoNotFoundError      `repo_not_found`    the path is not absolute, or nothing is there
    ├── NotAGitRepoError       `not_a_git_repo`    no git repository that can be read
    ├── RunFailedError         `run_failed`        no completed pack: no base, unknown profile, a crash
    ├── RunTimeoutError        `run_timeout`       a quick review used up its budget
    ├── RunNotFoundError       `run_not_found`     no run with this id, or none for HEAD
    ├── ArtifactMissingError   `artifact_missing`  not in the run, not text, or outside of it
    ├── ToolMissingError       `tool_missing`      git itself is not there
    ├── StorageLockedError     `storage_locked`    another review of this branch is running
    ├── StorageCorruptError    `storage_corrupt`   what is stored cannot be read as a verdict
    └── StaleRunError          `stale_run`         the run is not finished, or died

"""

from __future__ import annotations

from typing import ClassVar

from mcpkit.errors import EXIT_USAGE, ToolError

RETRY_AFTER_MS = 5000
"""How long a caller waits before asking again after a running review, in milliseconds (from the contract)."""


class PrviewError(ToolError):
    """A failure of prview; each subclass is one class of the contract."""

    error_class_name: ClassVar[str]

    def __init__(self, message: str, *, hint: str | None = None, **details: object) -> None:
        super().__init__(self.error_class_name, message, hint=hint, exit_code=EXIT_USAGE, **details)


class RepoNotFoundError(PrviewError):
    """The `repo` path is not absolute or does not exist."""

    error_class_name = "repo_not_found"


class NotAGitRepoError(PrviewError):
    """The path exists and is not a git repository that can be read."""

    error_class_name = "not_a_git_repo"


class RunFailedError(PrviewError):
    """The review could not produce a completed pack."""

    error_class_name = "run_failed"


class RunTimeoutError(PrviewError):
    """A quick review used up its budget; its processes are dead."""

    error_class_name = "run_timeout"

    def __init__(self, run_id: str, *, budget_s: float) -> None:
        super().__init__(
            f"the quick review did not finish within {budget_s:g} s; its processes were ended",
            hint='ask for profile "deep", which runs in the background',
            run_id=run_id,
            retry_hint={"profile": "deep"},
        )


class RunNotFoundError(PrviewError):
    """No run matches the id, or none was made for HEAD."""

    error_class_name = "run_not_found"


class ArtifactMissingError(PrviewError):
    """The artifact is not in the run, is not text, or the path leaves the run."""

    error_class_name = "artifact_missing"


class ToolMissingError(PrviewError):
    """A program that nothing works without is not installed."""

    error_class_name = "tool_missing"


class StorageLockedError(PrviewError):
    """Another review of this branch is running."""

    error_class_name = "storage_locked"

    def __init__(self, branch: str, *, active_run_id: str | None) -> None:
        super().__init__(
            f"another review of {branch} is running" + (f": {active_run_id}" if active_run_id else ""),
            hint="wait for it, then ask again",
            active_run_id=active_run_id,
            retry_after_ms=RETRY_AFTER_MS,
        )


class StorageCorruptError(PrviewError):
    """What is stored cannot be read as a verdict, or an id names two runs."""

    error_class_name = "storage_corrupt"


class StaleRunError(PrviewError):
    """The run is still in progress, or its process died before it finished."""

    error_class_name = "stale_run"


ERRORS: tuple[type[PrviewError], ...] = (
    RepoNotFoundError,
    NotAGitRepoError,
    RunFailedError,
    RunTimeoutError,
    RunNotFoundError,
    ArtifactMissingError,
    ToolMissingError,
    StorageLockedError,
    StorageCorruptError,
    StaleRunError,
)
"""Every class of the contract, for the envelope."""

ERROR_CLASSES = frozenset(error.error_class_name for error in ERRORS)
