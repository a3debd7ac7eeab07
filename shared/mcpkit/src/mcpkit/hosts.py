"""Registration of a stdio server in the hosts that people use, ready to paste.

Commands are absolute: hosts started from a desktop do not have a shell's PATH, and start servers in a
directory of their own choice. Such an entry is for one person on one machine. An entry for a file that a team
shares (`shared=True`) names the command alone, which then has to be on everybody's PATH.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import sys
import sysconfig
from pathlib import Path
from typing import TYPE_CHECKING

from mcpkit.known_hosts import HOSTS

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

PROJECT_FILES = {"claude": ".mcp.json", "cursor": ".cursor/mcp.json", "vscode": ".vscode/mcp.json"}
"""The hosts that read a file of the project, and that file."""

_OWN_FILES = {
    "claude": ".mcp.json in the project, uncommitted (then approve the server when Claude Code asks)",
    "codex": "~/.codex/config.toml",
    "cursor": "~/.cursor/mcp.json, or .cursor/mcp.json in the project, uncommitted",
    "vscode": ".vscode/mcp.json in the project, uncommitted",
}
_UVX_CACHE = re.compile(r"/(archive|environments)-v\d+/")


def registration(
    host: str,
    *,
    name: str,
    command: Sequence[str],
    env: Mapping[str, str] | None = None,
    shared: bool = False,
) -> str:
    """Return the text of the host's configuration file: JSON, for Codex TOML.

    `command` is the whole command line, its first word absolute, or for a `shared` file a name on PATH.
    Raises ValueError for an unknown host, another command, and words that no text file can hold (paths that
    are not UTF-8).
    """
    _check(host, name, [*command, *(env or {}), *(env or {}).values()], command, shared=shared)
    return _RENDER[host](name, command, env or {})


def add_command(
    host: str,
    *,
    name: str,
    command: Sequence[str],
    env: Mapping[str, str] | None = None,
    shared: bool = False,
) -> str | None:
    """Return the shell command that makes the host register the server itself; None where there is none.

    For this user in this project; with `shared` for everybody who uses the project.
    """
    _check(host, name, [*command, *(env or {}), *(env or {}).values()], command, shared=shared)
    pairs = [f"{key}={value}" for key, value in (env or {}).items()]
    if host == "claude":
        # `--env` takes all words up to the next option, so it cannot stand right before the name
        given = ["--env", *pairs] if pairs else []
        return shlex.join(
            [
                "claude",
                "mcp",
                "add",
                "--scope",
                "project" if shared else "local",
                *given,
                "--transport",
                "stdio",
                name,
                "--",
                *command,
            ]
        )
    if host == "codex" and not shared:
        given = [word for pair in pairs for word in ("--env", pair)]
        return shlex.join(["codex", "mcp", "add", name, *given, "--", *command])
    if host == "vscode" and not shared:
        return shlex.join(["code", "--add-mcp", _compact({"name": name, **_entry(command, env or {})})])
    return None


def advice(
    host: str,
    *,
    name: str,
    command: Sequence[str],
    env: Mapping[str, str] | None = None,
    shared: bool = False,
) -> str:
    """Return lines for a person: where the registration goes, and the command that does the same."""
    if shared:
        lines = [f"# put this into {PROJECT_FILES[host]}; it needs `{command[0]}` on everybody's PATH"]
    else:
        lines = [
            f"# put this into {_OWN_FILES[host]}",
            "# it names paths of this machine: it is yours, and for no file that a team shares",
        ]
    same = add_command(host, name=name, command=command, env=env, shared=shared)
    if same is not None:
        lines.append(f"# or run: {same}")
    if _UVX_CACHE.search(command[0]):
        lines.append(
            "# warning: this command lives in uv's cache and may vanish; install it (`uv tool install`) first"
        )
    return "\n".join(lines)


def absolute_command(script: str, *, module: str) -> list[str]:
    """Return the start of a command line that runs the installation we run in.

    The console script we were started as; else the script beside this interpreter; else one on PATH; else
    `python -m module`. Links are kept as they are: they outlive an upgrade of what they point to.
    """
    started = Path(sys.argv[0]) if sys.argv else Path()
    here = [started] if started.name == script else []
    scripts = [sysconfig.get_path("scripts"), str(Path(sys.executable).parent)]
    here += [Path(folder) / script for folder in scripts]
    found = next((path for path in here if path.is_file() and os.access(path, os.X_OK)), None)
    on_path = found or shutil.which(script)
    return [str(Path(on_path).absolute())] if on_path else [sys.executable, "-m", module]


def carried(variables: Sequence[str]) -> dict[str, str]:
    """Return those of our environment's `variables` that are set.

    A registration must name them: hosts start servers with an environment of their own choice, Codex with
    hardly anything of the user's.
    """
    return {name: value for name in variables if (value := os.environ.get(name))}


def _check(host: str, name: str, words: Sequence[str], command: Sequence[str], *, shared: bool) -> None:
    if host not in HOSTS:
        raise ValueError(f"unknown host {host!r}; choose from {', '.join(HOSTS)}")
    if not re.fullmatch(r"[A-Za-z0-9_-]{1,64}", name):
        raise ValueError(f"server name {name!r} must be 1 to 64 of A-Z a-z 0-9 _ -")
    if shared and host not in PROJECT_FILES:
        raise ValueError(f"{host} reads no file of the project that a team could share")
    if not command or not (shared or Path(command[0]).is_absolute()):
        raise ValueError(f"the command must start with an absolute path, not {list(command[:1])}")
    for word in words:
        if not word.isprintable():
            raise ValueError(
                f"{word!r} cannot stand in a configuration file; use a path of printable characters"
            )


def _entry(command: Sequence[str], env: Mapping[str, str]) -> dict[str, object]:
    entry: dict[str, object] = {"type": "stdio", "command": command[0], "args": list(command[1:])}
    return {**entry, "env": dict(env)} if env else entry


def _claude(name: str, command: Sequence[str], env: Mapping[str, str]) -> str:
    return _pretty({"mcpServers": {name: _entry(command, env)}})


def _vscode(name: str, command: Sequence[str], env: Mapping[str, str]) -> str:
    return _pretty({"servers": {name: _entry(command, env)}})


def _codex(name: str, command: Sequence[str], env: Mapping[str, str]) -> str:
    lines = [
        f"[mcp_servers.{name}]",
        f"command = {_toml(command[0])}",
        f"args = [{', '.join(_toml(word) for word in command[1:])}]",
    ]
    if env:
        lines.append(
            "env = { " + ", ".join(f"{_toml(key)} = {_toml(value)}" for key, value in env.items()) + " }"
        )
    return "\n".join(lines) + "\n"


def _toml(word: str) -> str:
    # words are printable (`_check`): JSON's quoting of quotes and backslashes is TOML's
    return json.dumps(word, ensure_ascii=False)


def _pretty(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2) + "\n"


def _compact(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


_RENDER: Mapping[str, Callable[[str, Sequence[str], Mapping[str, str]], str]] = {
    "claude": _claude,
    "codex": _codex,
    "cursor": _claude,
    "vscode": _vscode,
}
