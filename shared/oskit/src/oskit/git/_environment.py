"""The program and the variables that git gets: no surrounding git, no prompt, no network, no lock."""

import os

from oskit.git.errors import GitMissingError
from oskit.process import clean_environment, find_program

# Where git usually is, for programs started without a shell's PATH (GUI hosts, services).
_USUAL_FOLDERS = (
    "/usr/local/bin",
    "/usr/bin",
    "/bin",
    "/opt/homebrew/bin",
    "/opt/local/bin",
    "/usr/lib/git-core",
)

_FIXED = {
    "LC_ALL": "C",  # messages are recognised by their English words
    "GIT_OPTIONAL_LOCKS": "0",  # status must not refresh the index on disk
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_ASKPASS": "",
    "GIT_NO_LAZY_FETCH": "1",  # a partial clone must not fetch (git >= 2.39.4) …
    "GIT_ALLOW_PROTOCOL": "",  # … and cannot: no transport is allowed at all (every version)
    "GIT_NO_REPLACE_OBJECTS": "1",  # objects are what their names say
    "GIT_LITERAL_PATHSPECS": "1",  # `:(top)` and `[id]` are names
    "GIT_PAGER": "cat",
    "GIT_TRACE2": "0",  # trace2.* of a user's configuration would write files
    "GIT_TRACE2_EVENT": "0",
    "GIT_TRACE2_PERF": "0",
}

_ISOLATED = {
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_SYSTEM": os.devnull,
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_ATTR_NOSYSTEM": "1",
}


def git_program() -> str:
    """Give the absolute path of git: from PATH, else from where it usually is; GitMissingError otherwise.

    Relative entries of PATH are passed over: they would let a reviewed checkout bring its own `git`.
    """
    folders = [folder for folder in os.environ.get("PATH", "").split(os.pathsep) if os.path.isabs(folder)]  # noqa: PTH117 - text of PATH
    found = find_program("git", os.pathsep.join((*folders, *_USUAL_FOLDERS)))
    if found is None:
        raise GitMissingError(
            f"The program git was not found in PATH or in {', '.join(_USUAL_FOLDERS)}.",
            "Install git, or put its folder into PATH.",
        )
    return found


def environment(**more: str) -> dict[str, str]:
    """Variables for a git that reads the user's configuration but obeys nothing else of the caller."""
    return clean_environment(add={**_FIXED, **more})


def isolated_environment(home: str, **more: str) -> dict[str, str]:
    """Variables for a git that reads no configuration at all; git < 2.32 looks in `home`, empty."""
    return environment(**_ISOLATED, HOME=home, XDG_CONFIG_HOME=home, **more)
