"""Write a commit's files to disk exactly as its objects hold them.

`git archive` and `git checkout` obey attributes (export-subst, export-ignore, line ends, filters); this does
not: bytes come from `cat-file --batch`. Names that could leave the destination are refused before anything is
written, links are made last so that no file is ever written through one, and the destination appears by one
rename, whole or not at all.
"""

import mmap
import os
import shutil
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from secrets import token_hex

import anyio
from anyio import to_thread

from oskit.git._command import on_objects
from oskit.git._export_plan import Plan, planned
from oskit.git._location import Location
from oskit.git._objects import list_tree, missing_blob
from oskit.git._parse_batch import BatchObject, parse_batch
from oskit.git.errors import ExportError
from oskit.git.models import LARGE, ExportedTree, Limits, TreeEntry, display

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
    over. Modes are 0644 and 0755 (less the umask), links are made as they are, submodules become empty
    folders, files of Git LFS stay pointers. ExportError names what was refused or could not be written.
    """
    plan = planned(await list_tree(location, revision, sizes=True, limits=limits), paths, revision)
    _require_fitting(plan, max_bytes, revision, location)
    staging = await to_thread.run_sync(_staging, destination)
    try:
        await _fetch(location, plan, staging / "objects", limits)
        await _write(location, plan, staging)
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


async def _fetch(location: Location, plan: Plan, store: Path, limits: Limits) -> None:
    """Let git write every wanted blob, each once, into one file."""
    names = plan.blobs
    if names:
        stdin = "".join(f"{name}\n" for name in names).encode("ascii")
        await on_objects(
            location, ("cat-file", "--batch", "--buffer"), stdin=stdin, stdout_to=store, limits=limits
        )


async def _write(location: Location, plan: Plan, staging: Path) -> None:
    root = os.fsencode(staging / "tree")
    await to_thread.run_sync(_make_folders, root, plan)
    if not plan.blobs:
        return
    targets = plan.by_blob()
    with (
        (staging / "objects").open("rb") as store,
        mmap.mmap(store.fileno(), 0, access=mmap.ACCESS_READ) as stored,
    ):
        objects = parse_batch(stored)
        links: list[tuple[TreeEntry, bytes]] = []
        while batch := await to_thread.run_sync(_next_step, objects):
            links += await to_thread.run_sync(_write_files, location, root, batch, targets)
    await to_thread.run_sync(_make_links, root, links)


def _next_step(objects: Iterator[BatchObject]) -> list[BatchObject]:
    return list(islice(objects, _FILES_PER_STEP))


def _make_folders(root: bytes, plan: Plan) -> None:
    with _as_export_error(root):
        for folder in plan.folders:
            os.mkdir(_join(root, folder), 0o755)  # noqa: PTH102 - the name may be no text


def _write_files(
    location: Location, root: bytes, batch: Sequence[BatchObject], targets: dict[str, list[TreeEntry]]
) -> list[tuple[TreeEntry, bytes]]:
    """Write the regular files of some blobs; gives back the links among them, which come last."""
    links = []
    for found in batch:
        if found.content is None or found.kind != "blob":
            raise missing_blob(location, found.sha)
        for entry in targets[found.sha]:
            if entry.mode == "120000":
                links.append((entry, found.content))
            else:
                _write_file(root, entry, found.content)
    return links


def _write_file(root: bytes, entry: TreeEntry, content: bytes) -> None:
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW
    with _as_export_error(entry.path):
        descriptor = os.open(_join(root, entry.path), flags, 0o755 if entry.mode == "100755" else 0o644)
        with open(descriptor, "wb", buffering=0) as stream:  # noqa: PTH123 - a descriptor
            view = memoryview(content)
            while view:
                view = view[stream.write(view) :]


def _make_links(root: bytes, links: Sequence[tuple[TreeEntry, bytes]]) -> None:
    for entry, target in links:
        with _as_export_error(entry.path):
            os.symlink(target, _join(root, entry.path))  # noqa: PTH211 - the name may be no text


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
