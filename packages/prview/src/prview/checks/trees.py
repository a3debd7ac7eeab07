"""Both sides of a change as files: the merge base and the reviewed commit, exported from git's objects."""

from __future__ import annotations

from typing import TYPE_CHECKING

import anyio

if TYPE_CHECKING:
    from pathlib import Path

    from oskit.git import Repository


class Trees:
    """Exports a side when a check first asks for it, and once. Nothing of the work tree gets in."""

    def __init__(self, repository: Repository, *, head: str, base: str, folder: Path) -> None:
        self._repository = repository
        self._commits = {"head": head, "base": base}
        self._folder = folder
        self._locks = {"head": anyio.Lock(), "base": anyio.Lock()}
        self._ready: dict[str, Path] = {}

    async def head(self) -> Path:
        """Return the folder with the reviewed commit's files."""
        return await self._side("head")

    async def base(self) -> Path:
        """Return the folder with the merge base's files."""
        return await self._side("base")

    async def _side(self, side: str) -> Path:
        async with self._locks[side]:
            if side not in self._ready:
                target = self._folder / side
                await self._repository.export_tree(self._commits[side], target)
                self._ready[side] = target.resolve()
            return self._ready[side]
