"""Who signs, and who wrote what is signed: both as git knows people, by their addresses."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from artifactize.domain.people import reviewer_fault
from artifactize.errors import SignoffRefusedError
from oskit.git import GitError, git_program, open_repository
from oskit.process import ProcessError, run

if TYPE_CHECKING:
    from collections.abc import Collection

    from artifactize.service.looking import Look
    from artifactize.service.workspace import Workspace
    from oskit.git import Repository

_PASSED = ("PATH", "HOME", "XDG_CONFIG_HOME", "LANG")
_GIT_BOUND_S = 10.0
_COMMITS = 20_000
_BATCH = 2_000


async def reviewer_of(workspace: Workspace, given: str | None) -> str:
    """Return who reviews: the one who is named, else git's `user.email`. Raises SignoffRefusedError."""
    name = given if given is not None else await _git_user(workspace)
    if name is None:
        raise SignoffRefusedError(
            "nobody knows who signs: git has no user.email here",
            hint="name yourself with --reviewer, or set it: git config user.email ADDRESS",
        )
    if (fault := reviewer_fault(name)) is not None:
        raise SignoffRefusedError(f"the reviewer cannot be {name!r}: {fault}")
    return name


async def authors_of(workspace: Workspace, seen: Look, artifact: str) -> list[str] | None:
    """Return the addresses of those who changed an Artifact's files last, sorted; None when git cannot say.

    Of a file that differs from its commit, that is whoever git's `user.email` is, too.
    """
    try:
        repository = await open_repository(workspace.root)
        if repository.worktree is None:
            return None
        above = workspace.root.relative_to(repository.worktree).as_posix()
        paths = _paths(seen, artifact, "" if above == "." else f"{above}/")
        head = await repository.head()
        status = await repository.status()
        changed = _changed(paths, status.paths)
        found = {} if head.commit is None else await _last_authors(repository, head.commit, paths)
    except (GitError, ValueError):
        return None
    user = await _git_user(workspace) if changed else None
    return sorted({*found.values(), *([] if user is None else [user])})


async def _last_authors(repository: Repository, tip: str, paths: list[bytes]) -> dict[bytes, str]:
    """Return by path the author of the newest commit that touched it."""
    found: dict[bytes, str] = {}
    for start in range(0, len(paths), _BATCH):
        for touch in await repository.touches(tip, paths[start : start + _BATCH], commits=_COMMITS):
            for file in touch.files:
                found.setdefault(file.path, touch.email)
    return found


def _paths(seen: Look, artifact: str, above: str) -> list[bytes]:
    """Return the files of an Artifact relative to the work tree; its folder where they are not listed.

    `above` is where the project is in the work tree.
    """
    declared = seen.project.artifacts[artifact].declaration
    value = seen.fingerprints.values.get(artifact)
    manifest = None if value is None else seen.fingerprints.manifests.get(artifact)
    if manifest is None:
        return [os.fsencode(f"{above}{declared.folder}".rstrip("/") or ".")]
    inside = f"{above}{declared.folder}/" if declared.folder else above
    places = [inside + name for name in manifest]
    # a leading colon would be an instruction to git
    return [os.fsencode(f"./{place}" if place.startswith(":") else place) for place in places]


def _changed(paths: Collection[bytes], dirty: Collection[bytes]) -> bool:
    wanted = set(paths)
    return any(
        path in wanted or b"." in wanted or any(path.startswith(each + b"/") for each in wanted)
        for path in dirty
    )


async def _git_user(workspace: Workspace) -> str | None:
    environment = {name: workspace.environment[name] for name in _PASSED if name in workspace.environment}
    argv = [git_program(), "-C", str(workspace.root), "config", "--get", "user.email"]
    try:
        done = await run(argv, deadline_s=_GIT_BOUND_S, env=environment)
    except ProcessError:
        return None
    text = done.stdout.decode("utf-8", "replace").strip()
    return text if done.returncode == 0 and text else None
