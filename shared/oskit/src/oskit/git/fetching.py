"""Bring commits from a remote without touching the repository: into a store beside it.

The store is a bare repository of ours that borrows the objects of the other one (`objects/info/alternates`),
so that only what is new is transferred, and the other one is read at most. This is the only module whose git
may use the network; it speaks with the user's own credentials and asks for none.
"""

import os
import shutil
from collections.abc import Sequence
from pathlib import Path

from oskit.files import ensure_private_dir
from oskit.git._environment import environment, git_program
from oskit.git._location import Location
from oskit.git.errors import FetchError, GitTimeoutError
from oskit.git.opening import open_repository
from oskit.git.repository import Repository
from oskit.process import Completed, clean_environment, run

FETCH_DEADLINE_S = 120.0
"""Seconds until a transfer is given up."""

# How the user reaches remotes; none of it says which repository is meant.
_CREDENTIALS = (
    "SSH_AUTH_SOCK", "SSH_ASKPASS", "GIT_SSH", "GIT_SSH_COMMAND", "GIT_SSH_VARIANT", "GIT_CONFIG_GLOBAL",
    "GIT_CONFIG_SYSTEM", "HTTPS_PROXY", "HTTP_PROXY", "ALL_PROXY", "NO_PROXY", "https_proxy", "http_proxy",
    "all_proxy", "no_proxy",
)  # fmt: skip
_SETTINGS = ("core.hooksPath=/dev/null", "gc.auto=0", "maintenance.auto=false", "fetch.fsckObjects=true")


async def fetch_beside(
    origin: Location, store: Path, url: str, refspecs: Sequence[str], *, deadline_s: float = FETCH_DEADLINE_S
) -> Repository:
    """Fetch `refspecs` from `url` into `store`, made when it is missing, and open it.

    Everything that `origin` has can be read in the store, too. Raises FetchError with git's own words,
    GitTimeoutError, and StorageError when the store cannot be written.
    """
    if not (store / "HEAD").is_file():
        await _create(origin, store)
    _borrow(origin, store)
    options = ("--no-tags", "--no-write-fetch-head", "--no-recurse-submodules", "--force", "--quiet")
    settings = tuple(part for setting in _SETTINGS for part in ("-c", setting))
    completed = await run(
        (git_program(), *settings, "fetch", *options, "--end-of-options", url, *refspecs),
        cwd=origin.worktree or origin.git_dir,
        env=_network_environment(store),
        deadline_s=deadline_s,
    )
    _check(completed, url, deadline_s)
    return await open_repository(store)


async def _create(origin: Location, store: Path) -> None:
    ensure_private_dir(store.parent)
    completed = await run(
        (
            *(git_program(), "init", "--quiet", "--bare", "--template=", "--initial-branch=none"),
            *(f"--object-format={origin.object_format}", "--", str(store)),
        ),
        cwd=store.parent,
        env=environment(),
        deadline_s=30,
    )
    _check(completed, str(store), 30)


def _borrow(origin: Location, store: Path) -> None:
    """Point at the other repository's objects; what a shallow one lacks is said here, too."""
    info = store / "objects" / "info"
    info.mkdir(parents=True, exist_ok=True)
    (info / "alternates").write_bytes(os.fsencode(origin.common_dir / "objects") + b"\n")
    if origin.shallow:
        shutil.copyfile(origin.common_dir / "shallow", store / "shallow")


def _network_environment(store: Path) -> dict[str, str]:
    fixed = {"LC_ALL": "C", "GIT_TERMINAL_PROMPT": "0", "GIT_ASKPASS": "", "GIT_DIR": str(store)}
    return clean_environment(keep=_CREDENTIALS, add=fixed)


def _check(completed: Completed, where: str, deadline_s: float) -> None:
    shown = without_credentials(where)
    if completed.timed_out:
        raise GitTimeoutError(
            f"Fetching from {shown} did not finish within {deadline_s:g} s and was stopped.",
            "Try again, or fetch by hand and review without fetching.",
        )
    if completed.returncode != 0:
        said = completed.stderr.decode("utf-8", "replace").replace(where, shown).strip().splitlines()
        raise FetchError(
            f"Fetching from {shown} failed: {said[0] if said else f'exit code {completed.returncode}'}",
            "Check the name, the connection and your access; `git ls-remote` shows what the remote has.",
        )


def without_credentials(url: str) -> str:
    """A remote's address without user name and password."""
    scheme, separator, rest = url.partition("://")
    host, slash, path = rest.partition("/")
    return f"{scheme}://{host.rpartition('@')[2]}{slash}{path}" if separator else url
