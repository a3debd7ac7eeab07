"""Where a repository lies on disk; the base of every question to it."""

from dataclasses import dataclass
from pathlib import Path

HEX_DIGITS = {"sha1": 40, "sha256": 64}
"""Length of a full object name by object format."""


@dataclass(frozen=True)
class Location:
    """An opened repository's directories and the facts that never change while it is read.

    `git_dir` belongs to this checkout, `common_dir` is shared by its linked worktrees (equal otherwise).
    `worktree` is None for bare repositories.
    """

    worktree: Path | None
    git_dir: Path
    common_dir: Path
    object_format: str
    bare: bool
    shallow: bool

    @property
    def shown(self) -> str:
        """The folder a person knows the repository by."""
        return str(self.worktree or self.git_dir)

    def is_full_name(self, revision: str) -> bool:
        """Whether `revision` is a full object name, which needs no look-up."""
        return len(revision) == HEX_DIGITS[self.object_format] and not set(revision) - set("0123456789abcdef")
