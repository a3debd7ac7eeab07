"""Gives an exported tree the packages that are installed in the checkout, without a way to write there.

Every `node_modules` of the tree is a folder of its own, with links to the packages: what tools leave beside
them (`node_modules/.vite`, `.cache`) stays in the tree. A link that leads from the checkout's `node_modules`
into the checkout itself is a package of the workspace: it leads to the same folder of the tree.
"""

from __future__ import annotations

import hashlib
import os
import posixpath
from pathlib import Path
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

import anyio

from oskit.process import find_program
from prview.checks.base import ToolUnavailableError
from prview.checks.js.locks import MANIFEST, asks_for_packages, differing, folders_above, read
from prview.checks.linked import linked_stamps, stamp

if TYPE_CHECKING:
    from collections.abc import Iterator
    from hashlib import _Hash as Digest

    from prview.checks.jobs import Job
    from prview.checks.trees import Side, Trees

MODULES = "node_modules"
RECORDS = (".pnpm/lock.yaml", ".package-lock.json", ".modules.yaml", ".yarn-state.yml", ".yarn-integrity")
"""Where npm, pnpm and yarn write down what they installed."""

_LOCKS: WeakKeyDictionary[Trees, dict[Side, anyio.Lock]] = WeakKeyDictionary()


def installed(job: Job) -> Path | None:
    """The first checkout with packages for the project, its own or of a folder above it."""
    for checkout in job.context.checkouts:
        if any((checkout / folder / MODULES).is_dir() for folder in folders_above(job.project)):
            return checkout
    return None


async def other_packages(job: Job) -> str | None:
    """Why what is installed is not what this side asks for, as a sentence; None when it is."""
    checkout = installed(job)
    if checkout is None:
        asks = await asks_for_packages(job)
        return (
            f"the dependencies are not installed in the checkout (no {MODULES} for {job.project or 'it'})"
            if asks
            else None
        )
    path = await differing(job, checkout)
    whose = "the reviewed commit" if job.side == "head" else "the merge base"
    return f"{path} of {whose} asks for other packages than are installed in the checkout" if path else None


async def require_packages(job: Job) -> None:
    """Raise ToolUnavailableError when the side's own packages are not there."""
    why = await other_packages(job)
    if why:
        raise ToolUnavailableError(f"the {job.side} side cannot be seen: {why}")


async def packages_digest(job: Job) -> str:
    """What is installed and what runs it, for the cache.

    What package managers wrote down tells the depths; not all of them do, so every package's own manifest is
    looked at, too, and the files of a package that is linked from elsewhere: nothing writes them down.
    """
    checkout = installed(job)
    digest = hashlib.sha256(_runtime())
    for folder in folders_above(job.project) if checkout else ():
        modules = Path(checkout or "") / folder / MODULES
        for name in RECORDS:
            content = read(modules / name)
            digest.update(b"\0" if content is None else content)
        for entry, place in _entries(modules, Path()):
            digest.update(os.fsencode(f"\0{place}\0{stamp(entry / MANIFEST)}"))
            if checkout and entry.is_symlink():
                _add_linked(digest, entry.resolve(), checkout=checkout.resolve())
    return f"{checkout is not None} {digest.hexdigest()} {await other_packages(job)}"


def _runtime() -> bytes:
    """The Node that the programs find."""
    node = find_program("node")
    return os.fsencode(f"{node and Path(node).resolve()} {node and stamp(Path(node))}")


def _add_linked(digest: Digest, package: Path, *, checkout: Path) -> None:
    """The files of a package outside of the checkout; those inside are the tree's or a package manager's."""
    if package.is_relative_to(checkout) or MODULES in package.parts:
        return
    for text in linked_stamps(package):
        digest.update(os.fsencode(f"\0{text}"))


async def link_packages(job: Job) -> None:
    """Link what is installed into the side's tree, for every package of the repository; done once."""
    tree = await job.context.trees.export(job.side)
    checkout = installed(job)
    if checkout is None:
        return
    locks = _LOCKS.setdefault(job.context.trees, {})
    async with locks.setdefault(job.side, anyio.Lock()):
        folders = {posixpath.dirname(path) for path in job.listing if posixpath.basename(path) == MANIFEST}
        for folder in sorted({*folders, *folders_above(job.project)}):
            source, target = checkout / folder / MODULES, tree / folder / MODULES
            _link_all(source, target, checkout=checkout.resolve(), tree=tree)


def _link_all(source: Path, target: Path, *, checkout: Path, tree: Path) -> None:
    if not source.is_dir() or not target.parent.is_dir() or os.path.lexists(target):
        return  # not installed, not in this side, or committed
    target.mkdir()
    for entry, place in _entries(source, target):
        place.parent.mkdir(exist_ok=True)
        place.symlink_to(_lead(entry, checkout=checkout, tree=tree))


def _entries(source: Path, target: Path) -> Iterator[tuple[Path, Path]]:
    """Packages, those of a scope one by one, and `.bin`; no caches and records of tools."""
    for entry in _children(source):
        if entry.name.startswith("@") and entry.is_dir():
            yield from ((inner, target / entry.name / inner.name) for inner in _children(entry))
        elif not entry.name.startswith(".") or entry.name == ".bin":
            yield entry, target / entry.name


def _children(folder: Path) -> list[Path]:
    try:
        return sorted(folder.iterdir())
    except OSError:
        return []


def _lead(entry: Path, *, checkout: Path, tree: Path) -> Path:
    """Where the link of an entry leads: packages of the workspace are the side's own."""
    real = entry.resolve()
    if entry.is_symlink() and real.is_relative_to(checkout):
        inside = real.relative_to(checkout)
        if MODULES not in inside.parts:
            return tree / inside
    return entry
