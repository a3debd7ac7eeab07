"""The folder of a run while it is made: reserved, marked as running, and in the end published or failed."""

from __future__ import annotations

import contextlib
import os
import shutil
from dataclasses import dataclass
from typing import TYPE_CHECKING

from oskit.clock import now, rfc3339
from oskit.files import StorageError, atomic_write, ensure_private_dir, translated
from prview.domain.keys import is_run_id
from prview.domain.keys import run_id as make_run_id
from prview.domain.masking import mask_text
from prview.models.records import Failed
from prview.store.documents import document
from prview.store.paths import FAILED, LOG, RUNNING, STDERR_LOG

if TYPE_CHECKING:
    from datetime import datetime
    from pathlib import Path

    from mcpkit.errors import ToolError
    from prview.models.records import Running
    from prview.store.home import BranchRuns

_MANY = 1000
NEW = ".new-"
"""Before the name of a run's folder while nobody has to see it."""


@dataclass(frozen=True)
class RunFolder:
    """A run that is not published yet."""

    run_id: str
    branch: BranchRuns

    @property
    def path(self) -> Path:
        """Where the run works: out of sight until it begins."""
        return hidden if (hidden := self._hidden).is_dir() else self.branch.partial(self.run_id)

    @property
    def _hidden(self) -> Path:
        partial = self.branch.partial(self.run_id)
        return partial.with_name(f"{NEW}{partial.name}")

    def mark_running(self, running: Running) -> None:
        """Say who works on the run, and let it be seen; replaces what was said before."""
        atomic_write(self.path / RUNNING, document(running))
        self._appear()

    def refuse(self, error: ToolError) -> None:
        """Say to whoever reserved the run why it never began; nobody else sees it."""
        self._say(error)

    def _appear(self) -> None:
        with translated(self._hidden, "rename"), contextlib.suppress(FileNotFoundError):
            self._hidden.rename(self.branch.partial(self.run_id))

    def fail(self, error: ToolError) -> None:
        """Say why there is no pack. A run that was published meanwhile stays published.

        Where there is no room to say it, the marker goes, so that nothing reads as running.
        """
        self._say(error)
        with contextlib.suppress(StorageError):
            self._appear()

    def _say(self, error: ToolError) -> None:
        active = error.details.get("active_run_id")
        failed = Failed(
            run_id=self.run_id,
            error_class=error.error_class,
            message=mask_text(error.message),
            hint=mask_text(error.hint) if error.hint else None,
            active_run_id=active if isinstance(active, str) else None,
            failed_at=rfc3339(now()),
        )
        if self.path.is_dir():
            try:
                atomic_write(self.path / FAILED, document(failed))
            except StorageError:
                with contextlib.suppress(OSError):
                    (self.path / RUNNING).unlink(missing_ok=True)

    def log(self, line: str) -> None:
        """Append a line to the run's log."""
        with translated(self.path / LOG, "write"), (self.path / LOG).open("a", encoding="utf-8") as file:
            file.write(f"{rfc3339(now())} {mask_text(line)}\n")

    def discard(self) -> None:
        """Remove a run that never began, its id with it."""
        for folder in (self._hidden, self.branch.partial(self.run_id)):
            shutil.rmtree(folder, ignore_errors=True)
        forget_id(self.branch, self.run_id)


def reserve(branch: BranchRuns, *, started: datetime, commit: str, hidden: bool = False) -> RunFolder:
    """Make a run's folder under an id that no other run of the repository has. Raises StorageError.

    A `hidden` one is seen once it is marked as running or failed, so that no reader takes a run that is about
    to begin, or will find the branch taken, for one that failed. When anything fails, nothing is left.
    """
    ensure_private_dir(branch.folder)
    for collision in range(_MANY):
        folder = RunFolder(make_run_id(started, commit, collision=collision), branch)
        if _claim(_id_file(branch, folder.run_id)):
            _create(folder, hidden=hidden)
            return folder
    raise RuntimeError(f"{_MANY} runs of {commit} within one second")


def _create(folder: RunFolder, *, hidden: bool) -> None:
    partial = folder.branch.partial(folder.run_id)
    path = partial.with_name(f"{NEW}{partial.name}") if hidden else partial
    try:
        with translated(path, "create"):
            path.mkdir(mode=0o700)
            for name in (LOG, STDERR_LOG):
                (path / name).touch(mode=0o600)
    except BaseException:
        folder.discard()
        raise


def adopt(branch: BranchRuns, run_id: str) -> RunFolder | None:
    """Return a run that somebody reserved for us, or None."""
    folder = RunFolder(run_id, branch)
    return folder if is_run_id(run_id) and folder.path.is_dir() else None


def forget_id(branch: BranchRuns, run_id: str) -> None:
    """Free the id of a run that is gone."""
    _id_file(branch, run_id).unlink(missing_ok=True)


def _id_file(branch: BranchRuns, run_id: str) -> Path:
    return branch.folder.parent / ".ids" / run_id


def _claim(path: Path) -> bool:
    ensure_private_dir(path.parent)
    with translated(path, "create"):
        try:
            os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600))
        except FileExistsError:
            return False
    return True
