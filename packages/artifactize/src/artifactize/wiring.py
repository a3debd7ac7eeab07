"""Opening what the edges work with."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from artifactize.errors import NotARepositoryError, StateError
from artifactize.service.early_worker import KEPT, take
from artifactize.service.knowing import know
from artifactize.service.workspace import Workspace
from oskit.files import StorageError
from oskit.locations import refuse_inside_worktree, state_dir
from oskit.process import clean_environment, spawn_detached

if TYPE_CHECKING:
    from collections.abc import Mapping

    from oskit.process import ProcessIdentity

STATE_VARIABLE = "ARTIFACTIZE_STATE_HOME"


def open_workspace(repo: Path | None, state: Path | None) -> Workspace:
    """Bind a repository and a state, creating nothing. Raises NotARepositoryError, StateError."""
    root = repo or _root_around(Path.cwd())
    if not root.is_dir():
        raise NotARepositoryError(f"{root} is not a folder", hint="pass the project's folder with --repo")
    root = root.resolve()
    try:
        place = (state or state_dir("artifactize", STATE_VARIABLE)).absolute()
        refuse_inside_worktree(place, root)
    except StorageError as failure:
        raise StateError(failure.message, hint=failure.hint) from failure
    know(root, place.resolve())
    return Workspace(root, place.resolve(), dict(os.environ), start_worker)


def worker_workspace(repo: Path, state: Path) -> Workspace:
    """Bind what a worker was started for, even if the project is gone: its Runs have to end all the same."""
    know(repo, state)
    return Workspace(repo, state, dict(os.environ), start_worker)


def asked_workspace(repo: Path, state: Path, environment: Mapping[str, str]) -> Workspace:
    """Bind a repository and a state as `open_workspace` does, for somebody with another environment."""
    know(repo, state)
    return Workspace(repo, state, environment, start_worker)


def find_root(start: Path) -> Path | None:
    """Return the nearest folder with a `.git`, going up; None outside every repository."""
    return next((folder for folder in (start, *start.parents) if (folder / ".git").exists()), None)


def _root_around(folder: Path) -> Path:
    root = find_root(folder)
    if root is None:
        # a folder is not taken for a project because somebody stands in it: the home could lie below it
        raise NotARepositoryError(
            f"{folder} is not in a git repository",
            hint="go into one, make one with `git init`, or name the project's folder with --repo",
        )
    return root


def start_worker(workspace: Workspace) -> ProcessIdentity:
    """Start a worker that outlives us, the one that waits if there is one. Raises ProcessError."""
    early = take()
    if early is not None and early.begin(workspace.root, workspace.state_dir):
        return early.identity
    # -P: the working directory is never a place to import from
    argv = [sys.executable, "-P", "-m", "artifactize", "worker"]
    argv += ["--repo", str(workspace.root), "--state-dir", str(workspace.state_dir)]
    log = workspace.state_dir / "worker.log"
    return spawn_detached(argv, cwd=workspace.state_dir, env=clean_environment(keep=KEPT), log=log)
