"""The failures artifactize raises on purpose.

ToolError
├── ConfigInvalidError        declarations with mistakes; carries every one of them     `config_invalid`
├── NotARepositoryError       the bound folder is missing or declares nothing           `no_project`
├── UnknownSelectionError     no such Artifact or eval, or nothing selected             `unknown_selection`
├── FingerprintFailedError    an input could not be fingerprinted                       `fingerprint_failed`
├── RunNotFoundError          no such Run in this repository                            `run_not_found`
├── RequestNotFoundError      no such request in this repository                        `request_not_found`
├── StateError                the state cannot be used                                  `state_unavailable`
│   ├── StateNewerError       written by a newer version                                `state_newer`
│   └── StateCorruptError     the database file is damaged                              `state_corrupt`
├── KeyInUseError             the verdict of a key that is being executed is not removed `key_in_use`
├── ReviewStoreError          the team's review store refused, or cannot be trusted     `review_store`
├── SignoffRefusedError       a sign-off that cannot be taken, and why                   `signoff_refused`
├── ToolRefusedError          a tool of reviewers refused its call, or cannot be served `tool_refused`
└── WorkerFailedError         no worker could be started                                `worker_failed`

The wire form is `{code, message}` (spec 40, section 8); every one ends a command with exit code 2.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mcpkit.errors import ToolError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from artifactize.domain.problems import Problem

CODES = frozenset(
    {
        "config_invalid",
        "no_project",
        "unknown_selection",
        "fingerprint_failed",
        "run_not_found",
        "request_not_found",
        "state_unavailable",
        "state_newer",
        "state_corrupt",
        "worker_failed",
        "key_in_use",
        "review_store",
        "tool_refused",
        "signoff_refused",
    }
)
"""Every code of ours that a tool result may carry, apart from those mcpkit adds to all servers."""


class ConfigInvalidError(ToolError):
    """The declarations hold mistakes. `problems` are all of them, in file order."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        count = "one mistake" if len(problems) == 1 else f"{len(problems)} mistakes"
        lines = "\n".join(str(problem) for problem in problems)
        super().__init__("config_invalid", f"the declarations hold {count}:\n{lines}")
        self.problems = tuple(problems)


class NotARepositoryError(ToolError):
    """The bound folder does not exist, or no declaration was found in it."""

    def __init__(self, message: str, *, hint: str | None = None) -> None:
        super().__init__("no_project", message, hint=hint)


class UnknownSelectionError(ToolError):
    """The selection names an Artifact or eval that is not declared, or selects nothing."""

    def __init__(self, message: str, *, hint: str | None = None) -> None:
        super().__init__("unknown_selection", message, hint=hint)


class FingerprintFailedError(ToolError):
    """Inputs that cannot be fingerprinted; nothing was started."""

    def __init__(self, failures: Sequence[str]) -> None:
        lines = "\n".join(failures)
        super().__init__(
            "fingerprint_failed", f"no eval was started, because inputs cannot be fingerprinted:\n{lines}"
        )


class RunNotFoundError(ToolError):
    """The Run id is unknown in the bound repository."""

    def __init__(self, run_id: str) -> None:
        super().__init__(
            "run_not_found",
            f"this repository has no Run {run_id!r}",
            hint="list the Runs with `artifactize run list`",
        )


class RequestNotFoundError(ToolError):
    """The request id is unknown in the bound repository."""

    def __init__(self, request_id: str) -> None:
        super().__init__(
            "request_not_found",
            f"this repository has no request {request_id!r}",
            hint="`artifactize run show RUN` lists the requests of a Run",
        )


class StateError(ToolError):
    """The state directory or its database cannot be used."""

    def __init__(
        self, message: str, *, hint: str | None = None, error_class: str = "state_unavailable"
    ) -> None:
        super().__init__(error_class, message, hint=hint)


class StateNewerError(StateError):
    """The database was written by a newer version of artifactize."""

    def __init__(self, path: str, found: int, known: int) -> None:
        super().__init__(
            f"{path} has schema {found}; this version knows {known}",
            hint="use the newer artifactize, or another --state-dir",
            error_class="state_newer",
        )


class StateCorruptError(StateError):
    """The database file is damaged."""

    def __init__(self, path: str, problem: str) -> None:
        super().__init__(
            f"{path} is damaged: {problem}",
            hint="move it aside (nothing overwrites it) and run `artifactize doctor`",
            error_class="state_corrupt",
        )


class SupersededError(Exception):
    """This process is not the worker any more; another one has the Run, and this one writes nothing to it."""


class KeyInUseError(ToolError):
    """The reuse key is being executed, so that its verdict cannot be removed now."""

    def __init__(self, key: str, run_id: str) -> None:
        super().__init__(
            "key_in_use",
            f"Run {run_id} is executing the key {key}",
            hint=f"wait for it (`artifactize run watch {run_id}`) or cancel it, then remove the verdict",
        )


class WorkerFailedError(ToolError):
    """The detached worker could not be started, or never took its Run."""

    def __init__(self, message: str, *, hint: str | None = None) -> None:
        super().__init__("worker_failed", message, hint=hint)


class ReviewStoreError(ToolError):
    """The team's review store refused what was asked, answered what cannot be true, or cannot be opened."""

    def __init__(self, message: str, *, hint: str | None = None) -> None:
        super().__init__("review_store", message, hint=hint)


class ToolRefusedError(ToolError):
    """A tool of reviewers refused a call, failed in it, or its toolbox cannot be served."""

    def __init__(self, message: str) -> None:
        super().__init__("tool_refused", message)


class SignoffRefusedError(ToolError):
    """A person's claim or sign-off cannot be taken; the request stays as it is unless the message says so."""

    def __init__(self, message: str, *, hint: str | None = None) -> None:
        super().__init__("signoff_refused", message, hint=hint)
