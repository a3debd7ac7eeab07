"""Write a commit's files to disk exactly as its objects hold them.

`git archive` and `git checkout` obey attributes (export-subst, export-ignore, line ends, filters); what is
written here does not. Names that could leave the destination are refused before anything is written, links
are made last so that no file is ever written through one, and the destination appears by one rename, whole
or not at all.
"""

import os
import shutil
from collections.abc import Iterable
from pathlib import Path
from secrets import token_hex

import anyio
from anyio import to_thread

from oskit.git._checkout import check_out
from oskit.git._export_plan import Plan, planned
from oskit.git._location import Location
from oskit.git._objects import list_tree
from oskit.git.errors import ExportError
from oskit.git.models import LARGE, ExportedTree, Limits, display

MAX_EXPORT_BYTES = 2 * 1024**3
"""Default bound of what one export writes, in bytes."""

_FILES_PER_STEP = 500  # between steps a cancelled export stops


async def export_tree(
    location: Location,
    revision: str,
    destination: Path,
    paths: Iterable[str | bytes] | None = None,
    *,
    max_bytes: int = MAX_EXPORT_BYTES,
    limits: Limits = LARGE,
) -> ExportedTree:
    """Write the tree of `revision` to `destination`, which must not exist or be an empty folder.

    `paths` (files or folders, `/`-separated) leaves out the rest; those the commit does not have are passed
    over. Modes are 0666 and 0777 less the umask, links are made as they are, submodules become empty
    folders, files of Git LFS stay pointers. ExportError names what was refused or could not be written.
    """
    plan = planned(await list_tree(location, revision, sizes=True, limits=limits), paths, revision)
    _require_fitting(plan, max_bytes, revision, location)
    staging = await to_thread.run_sync(_staging, destination)
    try:
        await to_thread.run_sync(_make_folders, os.fsencode(staging / "tree"), plan)
        if plan.files or plan.links:
            await check_out(location, staging / "tree", (*plan.files, *plan.links), limits)
        await to_thread.run_sync(_publish, staging / "tree", destination)
    finally:
        with anyio.CancelScope(shield=True):
            await to_thread.run_sync(lambda: shutil.rmtree(staging, ignore_errors=True))
    return ExportedTree(destination, len(plan.files) + len(plan.links), plan.size, plan.submodules)


def _require_fitting(plan: Plan, max_bytes: int, revision: str, location: Location) -> None:
    if plan.size > max_bytes:
        raise ExportError(
            f"The tree of {revision} in {location.shown} holds {plan.size} bytes, "
            f"more than the {max_bytes} allowed.",
            "Export fewer paths, or raise the bound.",
        )


def _staging(destination: Path) -> Path:
    if destination.is_symlink() or (destination.exists() and not _is_empty_folder(destination)):
        raise ExportError(
            f"{destination} already exists, and a tree is only exported to a new folder.",
            "Name a folder that does not exist yet.",
        )
    staging = destination.with_name(f".{destination.name}.{token_hex(6)}.partial")
    with _as_export_error(destination):
        destination.parent.mkdir(parents=True, exist_ok=True)
        staging.mkdir(mode=0o700)
        (staging / "tree").mkdir(mode=0o755)
    return staging


def _is_empty_folder(path: Path) -> bool:
    return path.is_dir() and not any(path.iterdir())


def _make_folders(root: bytes, plan: Plan) -> None:
    with _as_export_error(root):
        for folder in plan.folders:
            os.mkdir(_join(root, folder), 0o755)  # noqa: PTH102 - the name may be no text


def _publish(tree: Path, destination: Path) -> None:
    with _as_export_error(destination):
        tree.rename(destination)  # replaces an empty folder, and nothing else


def _join(root: bytes, path: bytes) -> bytes:
    return root + b"/" + path


class _as_export_error:  # noqa: N801 - read as a word after `with`
    """Turn an OSError into an ExportError; a class, since it is entered once for every file."""

    def __init__(self, what: bytes | Path) -> None:
        self._what = what

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: object, problem: BaseException | None, trace: object) -> None:
        if isinstance(problem, OSError | ValueError):
            what = display(self._what) if isinstance(self._what, bytes) else str(self._what)
            raise ExportError(
                f"{what} could not be written: {problem}.",
                "Check free space and permissions of the destination.",
            ) from problem
