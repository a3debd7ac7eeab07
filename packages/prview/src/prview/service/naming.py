"""Which run a person means who typed a part of its id. MCP tools take whole ids only."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mcpkit.errors import InvalidArgumentsError
from prview.errors import RunNotFoundError
from prview.service.opening import open_repo
from prview.store.runs import list_runs

if TYPE_CHECKING:
    from prview.service.settings import Settings

SHOWN = 5
"""Candidates that a refusal names."""


async def whole_run_id(settings: Settings, repo: str, part: str) -> str:
    """Return the id of the repository's run that is, begins or ends so alone.

    Raises RunNotFoundError, and InvalidArgumentsError when several do.
    """
    opened = await open_repo(settings, repo)
    ids = {run.run_id for branch in opened.runs.branches() for run in list_runs(branch)}
    if part in ids:
        return part
    fitting = (name for name in ids if part and (name.startswith(part) or name.endswith(part)))
    found = sorted(fitting, reverse=True)
    if not found:
        raise RunNotFoundError(
            f"no run {part!r} of this repository", hint="`prview runs list --all` lists those that are there"
        )
    if len(found) > 1:
        more = ", …" if len(found) > SHOWN else ""
        raise InvalidArgumentsError(
            f"{part!r} fits several runs: {', '.join(found[:SHOWN])}{more}", hint="give more of the id"
        )
    return found[0]
