"""Which Run or request a person means who typed a part of its id, or none."""

from __future__ import annotations

from typing import TYPE_CHECKING

from artifactize.errors import RequestNotFoundError, RunNotFoundError, UnknownSelectionError
from artifactize.service.workspace import off_loop
from artifactize.store import naming

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from artifactize.service.workspace import Workspace

SHOWN = 5
"""Candidates that a refusal names."""


class Naming:
    """Whole ids for parts of them. MCP tools take whole ids only."""

    def __init__(self, workspace: Callable[[], Workspace]) -> None:
        self._workspace = workspace

    async def run(self, part: str | None) -> str:
        """Return the id that begins or ends with `part` alone; for None that of the newest Run.

        Raises RunNotFoundError, and UnknownSelectionError when several do.
        """
        found = await off_loop(lambda: self._runs(part))
        if not found:
            raise RunNotFoundError(part or "newest")
        return _only(found, part or "", what="Runs")

    async def request(self, part: str) -> str:
        """Return the id of the request. Raises RequestNotFoundError, UnknownSelectionError."""
        found = await off_loop(lambda: self._requests(part))
        if not found:
            raise RequestNotFoundError(part)
        return _only(found, part, what="requests")

    def _runs(self, part: str | None) -> Sequence[str]:
        workspace = self._workspace()
        store = workspace.existing_store()
        if store is None or part == "":
            return ()
        with store.read() as connection:
            if part is None:
                newest = naming.newest_run(connection, repository=workspace.repository)
                return () if newest is None else (newest,)
            return naming.runs_like(connection, part, repository=workspace.repository, most=SHOWN + 1)

    def _requests(self, part: str) -> Sequence[str]:
        workspace = self._workspace()
        store = workspace.existing_store()
        if store is None or not part:
            return ()
        with store.read() as connection:
            return naming.requests_like(connection, part, repository=workspace.repository, most=SHOWN + 1)


def _only(found: Sequence[str], part: str, *, what: str) -> str:
    if len(found) == 1:
        return found[0]
    more = ", …" if len(found) > SHOWN else ""
    raise UnknownSelectionError(
        f"{part!r} fits several {what}: {', '.join(found[:SHOWN])}{more}", hint="give more of the id"
    )
