"""The environment that a child gets, and where programs are searched."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

# Who and where the user is. Everything else in our environment was meant for us: GIT_DIR set by a hook that
# calls us would make git read another repository, PYTHONPATH or NODE_OPTIONS would load foreign code.
_PASSED = frozenset(
    {
        "HOME",
        "LANG",
        "LANGUAGE",
        "LOGNAME",
        "PATH",
        "SHELL",
        "SSL_CERT_DIR",
        "SSL_CERT_FILE",
        "TMPDIR",
        "TZ",
        "USER",
        "XDG_CACHE_HOME",
        "XDG_CONFIG_HOME",
        "XDG_DATA_HOME",
        "XDG_RUNTIME_DIR",
        "XDG_STATE_HOME",
    }
)


def clean_environment(*, keep: Iterable[str] = (), add: Mapping[str, str] | None = None) -> dict[str, str]:
    """Return the environment for a child: user, language, zone and search path, nothing else of ours.

    `keep` names further variables to pass on when they are set; `add` sets variables and wins. Relative
    entries of PATH are dropped, since they would run programs of whatever folder the child works in.
    """
    wanted = _PASSED.union(keep)
    environment = {
        name: value for name, value in os.environ.items() if name in wanted or name.startswith("LC_")
    }
    environment["PATH"] = os.pathsep.join(search_folders(environment.get("PATH", os.defpath)))
    environment.update(add or {})
    return environment


def find_program(name: str, path: str | None = None) -> str | None:
    """Return the absolute path of the program `name` on `path` (default: our PATH), or None.

    A name with a slash is a path itself. Relative and empty entries of the search path are skipped, so
    that a program in the current folder, which may be the reviewed repository, is never picked up.
    """
    if os.sep in name:
        return os.path.abspath(name) if _is_program(name) else None  # noqa: PTH100 - resolve() would follow links
    return which(name, search_folders(os.environ.get("PATH", os.defpath) if path is None else path))


def which(name: str, folders: Sequence[str]) -> str | None:
    """Return the path of the program `name` in the first of `folders` that has it."""
    paths = (os.path.join(folder, name) for folder in folders)  # noqa: PTH118 - a hundred times a review
    return next(filter(_is_program, paths), None)


def search_folders(path: str) -> tuple[str, ...]:
    """Return the absolute entries of a search path, in order."""
    return tuple(folder for folder in path.split(os.pathsep) if os.path.isabs(folder))  # noqa: PTH117 - text


def _is_program(path: str) -> bool:
    return os.path.isfile(path) and os.access(path, os.X_OK)  # noqa: PTH113 - text
