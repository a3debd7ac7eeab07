"""Where an application keeps things: a named environment variable first, else the platform's own place."""

from __future__ import annotations

import os
from pathlib import Path

from oskit.files import StorageError, UnsafeDirectoryError, translated


class LocationError(StorageError):
    """The variable that names a folder does not hold an absolute path."""


def state_dir(app: str, env_var: str) -> Path:
    """Return where `app` keeps what must survive a restart, not created (default ~/.local/state/<app>)."""
    return _named(env_var) or _platform_dir("state", app)


def data_dir(app: str, env_var: str) -> Path:
    """Return where `app` keeps what a user would miss, not created (default ~/.local/share/<app>)."""
    return _named(env_var) or _platform_dir("data", app)


def cache_dir(app: str, env_var: str) -> Path:
    """Return where `app` keeps what can be made again, not created (default ~/.cache/<app>)."""
    return _named(env_var) or _platform_dir("cache", app)


def refuse_inside_worktree(path: Path, worktree: Path | None) -> None:
    """Raise UnsafeDirectoryError when `path`, existing or not, lies in `worktree`, which must not change.

    Compared are the folders themselves, not their names, so symbolic links, `..` and a case-insensitive
    file system do not hide anything. `None` (a bare repository) refuses nothing.
    """
    if worktree is None:
        return
    with translated(path, "look at"):
        root = worktree.stat()
        resolved = path.resolve()
        inside = any(_is_folder(folder, root) for folder in (resolved, *resolved.parents))
    if inside:
        message = f"{path} is inside the work tree {worktree}, which is never written"
        raise UnsafeDirectoryError(message, path=path, hint="choose a directory outside the repository")


def _is_folder(path: Path, folder: os.stat_result) -> bool:
    try:
        return os.path.samestat(path.stat(), folder)
    except FileNotFoundError:
        return False


def _named(env_var: str) -> Path | None:
    value = os.environ.get(env_var)
    if not value:
        return None
    path = Path(value).expanduser()
    if not path.is_absolute():
        message = f"{env_var}={value} is not an absolute path"
        raise LocationError(message, path=path, hint=f"set {env_var} to an absolute path, or unset it")
    return path


def _platform_dir(kind: str, app: str) -> Path:
    import platformdirs  # 30 ms, wasted where a variable names the folder

    places = {
        "state": platformdirs.user_state_path,
        "data": platformdirs.user_data_path,
        "cache": platformdirs.user_cache_path,
    }
    return places[kind](app, appauthor=False)
