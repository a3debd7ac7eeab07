"""Reads what a plan needs from the head's objects: one listing, one batch, whatever the repository's size."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from anyio import to_thread

from codevetter_verify.domain.plan import RoutePlan, plan_routes
from codevetter_verify.domain.sources import MAX_BYTES, MAX_FILES, Sources, is_configuration, may_import
from oskit.git import GitError, display

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from codevetter_verify.domain.change import Change
    from oskit.git import Repository, TreeEntry

_TOO_LARGE = "imports were not searched: the repository has more source files than one run reads"

_NOT_HERE = (
    "imports were not searched: this clone does not have the head of the pull request; "
    "`codevetter trex --fetch`, or `git fetch origin pull/N/head` before, brings it"
)


async def plan_change(
    repository: Repository, change: Change, *, listed: Callable[[], Awaitable[frozenset[str]]] | None = None
) -> tuple[Change, RoutePlan]:
    """The change with its head's paths, and the plan of its routes.

    Where the head's objects are not in the repository, the plan is made of names alone and says so; `listed`
    then gives the head's paths.
    """
    try:
        change, sources = await _read(repository, change)
    except GitError as exc:
        sources = Sources(why=f"imports were not searched: {exc.message} {exc.hint}")
        if listed is not None:
            change, sources = replace(change, tree=await listed()), Sources(why=_NOT_HERE)
    return change, await to_thread.run_sync(partial(plan_routes, change, sources))


async def _read(repository: Repository, change: Change) -> tuple[Change, Sources]:
    entries = await repository.list_tree(change.head_sha, sizes=True)
    by_path = {display(entry.path): entry for entry in entries if entry.kind == "blob"}
    change = replace(change, tree=frozenset(by_path))
    wanted = {path: entry for path, entry in by_path.items() if is_configuration(path)}
    importing = {path: entry for path, entry in by_path.items() if _is_read(path, entry)}
    if fits := _fits(importing):
        wanted |= importing
    blobs = await repository.read_blobs(entry.sha for entry in wanted.values())
    texts = {path: blobs[entry.sha] or b"" for path, entry in wanted.items()}
    return change, Sources(texts, searched=fits, why="" if fits else _TOO_LARGE)


def _is_read(path: str, entry: TreeEntry) -> bool:
    return entry.mode != "120000" and may_import(path, entry.size)


def _fits(entries: dict[str, TreeEntry]) -> bool:
    return len(entries) <= MAX_FILES and sum(entry.size or 0 for entry in entries.values()) <= MAX_BYTES
