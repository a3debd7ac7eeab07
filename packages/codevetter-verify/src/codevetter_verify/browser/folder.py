"""The temporary folder of one browser: private, and found again when whoever made it was killed."""

from __future__ import annotations

import logging
import os
import shutil
import stat
import tempfile
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from oskit.process import ProcessIdentity, kill_tree

if TYPE_CHECKING:
    from collections.abc import Iterator

logger = logging.getLogger(__name__)

PREFIX = "codevetter-"
_OWNER = "owner"
_STARTED = "started"


@dataclass(frozen=True, slots=True)
class PrivateFolder:
    """A folder that names its owner, and what the owner started in it."""

    path: Path

    def note_started(self, *processes: ProcessIdentity | None) -> None:
        """Remember processes, so that the next start can end them if we cannot."""
        lines = [str(process) for process in processes if process is not None]
        (self.path / _STARTED).write_text("\n".join(lines), "utf-8")

    def is_orphan(self) -> bool:
        """Whether it is ours and its owner is dead. A folder that names none is never touched."""
        try:
            found = self.path.lstat()
            owner = ProcessIdentity.parse((self.path / _OWNER).read_text("utf-8"))
        except (OSError, ValueError):
            return False
        ours = not hasattr(os, "geteuid") or found.st_uid == os.geteuid()
        return stat.S_ISDIR(found.st_mode) and ours and not owner.is_alive()

    def reap(self) -> None:
        """End what was started in it, then remove it."""
        with suppress(OSError, ValueError):
            for line in (self.path / _STARTED).read_text("utf-8").splitlines():
                kill_tree(ProcessIdentity.parse(line), grace_s=0)
        shutil.rmtree(self.path, ignore_errors=True)
        logger.warning("removed %s, left behind by a process that died", self.path)


@contextmanager
def private_folder() -> Iterator[PrivateFolder]:
    """A folder for profile and artifacts, gone with all its content when the block ends.

    Playwright removes its own, but not when processes that we kill were still writing there.
    """
    sweep()
    folder = PrivateFolder(Path(tempfile.mkdtemp(prefix=PREFIX)))
    try:
        (folder.path / _OWNER).write_text(str(ProcessIdentity.current()), "utf-8")
        yield folder
    finally:
        shutil.rmtree(folder.path, ignore_errors=True)


def sweep() -> None:
    """End and remove what killed processes of ours left in the temporary directory."""
    with suppress(OSError):
        for path in Path(tempfile.gettempdir()).glob(f"{PREFIX}*"):
            found = PrivateFolder(path)
            if found.is_orphan():
                found.reap()
