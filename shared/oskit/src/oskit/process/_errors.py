"""What can go wrong before a program runs.

ProcessError
├── ProgramMissingError     no such program on the search path, or at the path given
└── StartError              it exists and cannot be started: permission, format, folder, argument, resources
"""

from __future__ import annotations


class ProcessError(Exception):
    """A program could not be started. `hint` is the next step for a person."""

    def __init__(self, message: str, *, hint: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


class ProgramMissingError(ProcessError):
    """There is no such program; `searched` are the folders (or the one path) that were looked at."""

    def __init__(self, program: str, searched: tuple[str, ...]) -> None:
        where = ", ".join(searched) or "an empty search path"
        super().__init__(
            f"program not found: {program} (looked in {where})",
            hint=f"install {program}, or put its folder on PATH",
        )
        self.program = program
        self.searched = searched


class StartError(ProcessError):
    """The program exists and did not start."""
