"""A git directory that knows nothing, over the objects of a real one.

Commands that only need objects (diff, log, merge-base, cat-file, ls-tree) run here: no configuration, no
attributes, hooks, grafts, refs or promisor remotes of the repository can change an answer or start a
program, because git never sees them. What the repository says with its shallow file is carried over, since
it is a fact about the objects.
"""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from oskit.git._location import Location
from oskit.git.errors import GitError
from oskit.scratch import make_folder, sweep_once

_KIND = "oskit-git"
_CONFIG = """\
[core]
\trepositoryformatversion = {version}
\tbare = true
\tattributesFile = /dev/null
\thooksPath = /dev/null
"""


@contextmanager
def void_directory(location: Location) -> Iterator[Path]:
    """Make the directory for one command and remove it afterwards."""
    path = _made(location)
    try:
        yield path
    finally:
        shutil.rmtree(path, ignore_errors=True)


def _made(location: Location) -> Path:
    try:
        sweep_once(_KIND)  # of processes that were killed while git was reading for them
        path = make_folder(_KIND)
        (path / "refs").mkdir()
        (path / "HEAD").write_text("ref: refs/heads/void\n")
        (path / "config").write_text(_config(location.object_format))
        _carry_shallow(location, path)
    except OSError as problem:
        raise GitError(
            f"No temporary folder could be made for reading {location.shown}: {problem}",
            "Free space there or point TMPDIR to a writable folder.",
        ) from problem
    return path


def _config(object_format: str) -> str:
    if object_format == "sha1":
        return _CONFIG.format(version=0)
    return _CONFIG.format(version=1) + f"[extensions]\n\tobjectFormat = {object_format}\n"


def _carry_shallow(location: Location, path: Path) -> None:
    if location.shallow:
        shutil.copyfile(location.common_dir / "shallow", path / "shallow")
