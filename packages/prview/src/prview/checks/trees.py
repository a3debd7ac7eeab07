"""Both sides of a change as files: the merge base and the reviewed commit, taken from git's objects."""

from __future__ import annotations

import posixpath
from typing import TYPE_CHECKING, Literal

import anyio

from oskit.git import GitOutputTooLargeError, Limits, display

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from oskit.git import Repository

Side = Literal["head", "base"]

_LINK_MODE = "120000"
_SUBMODULE_MODE = "160000"
_IN_MEMORY = Limits(deadline_s=60.0, output_bytes=64 * 1024 * 1024)
_MAX_LINKS = 8
_KEPT = 1000
_KEPT_BYTES = 64 * 1024


class Trees:
    """Exports a side when a check first asks for it, and once. Nothing of the work tree gets in.

    What a side holds can be asked without an export: `listing` names its files and their content, `read`
    gives one of them.
    """

    def __init__(self, repository: Repository, *, head: str, base: str, folder: Path) -> None:
        self._repository = repository
        self._commits: dict[Side, str] = {"head": head, "base": base}
        self._folder = folder.resolve()
        self._locks: dict[Side, anyio.Lock] = {"head": anyio.Lock(), "base": anyio.Lock()}
        self._ready: dict[Side, Path] = {}
        self._contents: dict[str, bytes] = {}
        self._odd: dict[Side, frozenset[str]] = {}
        self._listings: dict[Side, Mapping[str, str]] = {}

    async def head(self) -> Path:
        """Return the folder with the reviewed commit's files."""
        return await self.export("head")

    async def base(self) -> Path:
        """Return the folder with the merge base's files."""
        return await self.export("base")

    def place(self, side: Side) -> Path:
        """Where a side's files are once it is exported."""
        return self._folder / side

    async def export(self, side: Side) -> Path:
        """Return the folder with the files of a side."""
        async with self._locks[side]:
            if side not in self._ready:
                await self._repository.export_tree(self._commits[side], self.place(side))
                self._ready[side] = self.place(side)
            return self._ready[side]

    async def listing(self, side: Side) -> Mapping[str, str]:
        """Every file of a side by path, with git's mode and object name: equal values are equal content."""
        async with self._locks[side]:
            if side not in self._listings:
                entries = await self._repository.list_tree(self._commits[side])
                self._listings[side] = {display(entry.path): f"{entry.mode} {entry.sha}" for entry in entries}
                self._odd[side] = frozenset(
                    name for entry in entries if (name := display(entry.path)).encode() != entry.path
                )
            return self._listings[side]

    async def odd_names(self, side: Side) -> frozenset[str]:
        """Files of a side whose names are no text: their path is not the name they are exported under."""
        await self.listing(side)
        return self._odd[side]

    async def read(self, side: Side, path: str) -> bytes | None:
        """Return the content of a file, links inside of the tree followed; None when it has no such file."""
        listing = await self.listing(side)
        for _ in range(_MAX_LINKS):
            mode, _, name = listing.get(path, "").partition(" ")
            content = await self._content(side, name) if name else None
            if mode != _LINK_MODE or content is None:
                return content
            path = posixpath.normpath(posixpath.join(posixpath.dirname(path), display(content)))
        return None

    async def contents(self, side: Side, paths: Iterable[str]) -> dict[str, tuple[str, bytes]]:
        """Git's mode and the bytes of those files and links that a side has, read by one process.

        Nothing when all of them together are more than is kept in memory; they are in the exported tree, too.
        """
        listing = await self.listing(side)
        entries = {path: listing[path].split(" ") for path in paths if path in listing}
        names = {name for mode, name in entries.values() if mode != _SUBMODULE_MODE}
        try:
            blobs = await self._repository.read_blobs(names, limits=_IN_MEMORY) if names else {}
        except GitOutputTooLargeError:
            return {}
        return {
            path: (mode, content)
            for path, (mode, name) in entries.items()
            if (content := blobs.get(name)) is not None
        }

    async def _content(self, side: Side, name: str) -> bytes | None:
        """A blob; small ones, such as configuration that many checks ask for, are read once."""
        async with self._locks[side]:
            if name in self._contents:
                return self._contents[name]
            content = (await self._repository.read_blobs([name])).get(name)
            if content is not None and len(content) <= _KEPT_BYTES and len(self._contents) < _KEPT:
                self._contents[name] = content
            return content
