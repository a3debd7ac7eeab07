"""The temporary folder of one browser: private, and found again when whoever made it was killed."""

from __future__ import annotations

import logging
import shutil
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from oskit.process import ProcessIdentity, kill_tree
from oskit.scratch import abandoned, make_folder

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

logger = logging.getLogger(__name__)

KIND = "codevetter"
_STARTED = "started"


@contextmanager
def private_folder() -> Iterator[Path]:
    """A folder for profile and artifacts, gone with all its content when the block ends.

    Playwright removes its own, but not when processes that we kill were still writing there.
    """
    sweep()
    folder = make_folder(KIND)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def note_started(folder: Path, *processes: ProcessIdentity | None) -> None:
    """Remember what runs in a folder, so that the next start can end it if we cannot."""
    lines = [str(process) for process in processes if process is not None]
    (folder / _STARTED).write_text("\n".join(lines), "utf-8")


def sweep() -> None:
    """End and remove what killed processes of ours left in the temporary directory."""
    for folder in abandoned(KIND):
        _end_started(folder)
        shutil.rmtree(folder, ignore_errors=True)
        logger.warning("removed %s, left behind by a process that died", folder)


def _end_started(folder: Path) -> None:
    with suppress(OSError):
        for line in (folder / _STARTED).read_text("utf-8").splitlines():
            with suppress(ValueError):
                kill_tree(ProcessIdentity.parse(line), grace_s=0)
