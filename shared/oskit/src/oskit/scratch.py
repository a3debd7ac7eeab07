"""Temporary folders that are known as abandoned when the process that made them was killed.

A folder is named `<kind>-<pid>-<digest>-<random>` after its owner: the digest is of the owner's whole
identity, so that a process which got the same number later is not taken for it. Nobody but the kernel has to
remember anything, and a folder can be judged although it is empty.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import os
import re
import shutil
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from oskit.process import ProcessIdentity

if TYPE_CHECKING:
    from collections.abc import Iterator

_OWNER = re.compile(r"-([1-9][0-9]{0,9})-([0-9a-f]{8})-\w+\Z")


def make_folder(kind: str) -> Path:
    """Make a private folder (0700) in the temporary folder, named after this process. Raises OSError."""
    return Path(tempfile.mkdtemp(prefix=f"{kind}-{_signature(os.getpid())}-"))


def digest(process: ProcessIdentity) -> str:
    """What a folder's name says of its owner besides the number: 8 hexadecimal digits."""
    return hashlib.sha256(str(process).encode()).hexdigest()[:8]


def is_owned(name: str) -> bool:
    """Whether a folder of this name belongs to a process that runs."""
    named = _OWNER.search(name)
    process = ProcessIdentity.of(int(named[1])) if named else None
    return process is not None and named is not None and digest(process) == named[2]


def abandoned(kind: str) -> Iterator[Path]:
    """Folders of this kind in the temporary folder whose owners are gone: our own user's, never a link."""
    with contextlib.suppress(OSError), os.scandir(tempfile.gettempdir()) as entries:
        for entry in entries:
            if _is_of(kind, entry.name) and _is_ours(entry) and not is_owned(entry.name):
                yield Path(entry.path)


@functools.cache
def sweep_once(kind: str) -> None:
    """Remove the abandoned folders of a kind, the first time that this process asks for it.

    Only for folders that need nothing but removal: programs that still run in one are not looked for.
    """
    for folder in abandoned(kind):
        shutil.rmtree(folder, ignore_errors=True)


@functools.lru_cache(maxsize=1)
def _signature(pid: int) -> str:
    """Name this process; `pid` keeps a forked child from taking its parent's answer."""
    return f"{pid}-{digest(ProcessIdentity.current())}"


def _is_of(kind: str, name: str) -> bool:
    named = _OWNER.search(name)
    return named is not None and name[: named.start()] == kind


def _is_ours(entry: os.DirEntry[str]) -> bool:
    try:
        return (
            entry.is_dir(follow_symlinks=False) and entry.stat(follow_symlinks=False).st_uid == os.geteuid()
        )
    except OSError:
        return False  # gone meanwhile
