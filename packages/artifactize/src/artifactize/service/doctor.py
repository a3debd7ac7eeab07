"""Whether artifactize can work here. Looks, and changes nothing."""

from __future__ import annotations

import os
import stat
from typing import TYPE_CHECKING, Literal

from artifactize.execution.limits_file import read_limits
from artifactize.models.health import Check, DoctorResult
from artifactize.service.worker_care import is_working
from artifactize.store import owners, runs
from artifactize.store.health import faults
from artifactize.tree.discovery import check_project
from mcpkit.errors import ToolError

if TYPE_CHECKING:
    from collections.abc import Callable

    from artifactize.service.workspace import Workspace

_OTHERS = stat.S_IRWXG | stat.S_IRWXO


def diagnose(workspace: Workspace) -> DoctorResult:
    """Return every check; one that raises is a failed check, not the end of the diagnosis."""
    looks = {
        "repository": _repository,
        "declarations": _declarations,
        "state": _state,
        "database": _database,
        "limits": _limits,
        "worker": _worker,
    }
    checks = tuple(_checked(name, look, workspace) for name, look in looks.items())
    return DoctorResult(ok=all(check.status != "failed" for check in checks), checks=checks)


def _checked(name: str, look: Callable[[str, Workspace], Check], workspace: Workspace) -> Check:
    try:
        return look(name, workspace)
    except ToolError as failure:
        return Check(name=name, status="failed", message=failure.message, hint=failure.hint)


def _repository(name: str, workspace: Workspace) -> Check:
    if (workspace.root / ".git").exists():
        return _ok(name, str(workspace.root))
    return _check(
        name, "warning", f"{workspace.root} is not a git repository", "pass the project with --repo"
    )


def _declarations(name: str, workspace: Workspace) -> Check:
    project, problems = check_project(workspace.root)
    if problems:
        return _check(name, "failed", f"{len(problems)} mistakes", "`artifactize config check` lists them")
    if not project.artifacts:
        return _check(
            name, "warning", "no Artifact is declared", "`artifactize init` writes a first index.artf"
        )
    return _ok(
        name, f"{_counted(len(project.artifacts), 'Artifact')}, {_counted(len(project.evals), 'eval')}"
    )


def _counted(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"


def _state(name: str, workspace: Workspace) -> Check:
    place = workspace.state_dir
    if not place.exists():
        return _ok(name, f"{place} (not made yet)")
    if not os.access(place, os.W_OK):
        return _check(name, "failed", f"{place} cannot be written", "choose another --state-dir")
    if place.stat().st_mode & _OTHERS:
        return _check(name, "warning", f"other users can look into {place}", f"run: chmod 700 {place}")
    return _ok(name, str(place))


def _database(name: str, workspace: Workspace) -> Check:
    store = workspace.existing_store()
    if store is None:
        return _ok(name, "not made yet")
    with store.read() as connection:
        found = faults(connection)
    if found:
        return _check(
            name, "failed", f"{store.path}: {found[0]}", "move the file aside; nothing overwrites it"
        )
    return _ok(name, f"{store.path} is whole")


def _limits(name: str, workspace: Workspace) -> Check:
    limits = read_limits(workspace.state_dir)
    if not limits:
        return _ok(name, "none; limits.json in the state sets some")
    return _ok(name, ", ".join(f"{backend} {most} at a time" for backend, most in limits.items()))


def _worker(name: str, workspace: Workspace) -> Check:
    store = workspace.existing_store()
    if store is None:
        return _ok(name, "none needed")
    with store.read() as connection:
        found = owners.worker(connection, workspace.repository)
        waiting = len(runs.unfinished(connection, workspace.repository))
    if found is not None and is_working(found):
        return _ok(name, f"process {found.owner.partition('@')[0]} works on {waiting} Runs")
    if waiting:
        hint = "`artifactize run watch RUN` starts a worker that resumes them"
        return _check(name, "warning", f"no worker lives, and {waiting} Runs are unfinished", hint)
    return _ok(name, "none needed")


def _ok(name: str, message: str) -> Check:
    return _check(name, "ok", message, None)


def _check(name: str, status: Literal["ok", "warning", "failed"], message: str, hint: str | None) -> Check:
    return Check(name=name, status=status, message=message, hint=hint)
