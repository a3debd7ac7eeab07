"""`prview init`: policy, settings, hook, CI and MCP registration for a project. Keeps what is there."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from mcpkit.errors import InvalidArgumentsError
from mcpkit.hosts import absolute_command, registration
from mcpkit.known_hosts import HOSTS
from oskit.files import StorageError, atomic_write, read_bounded, translated
from prview.domain.located import suggestion
from prview.domain.policy_reading import POLICY_FILE
from prview.domain.project import PROJECT_FILE
from prview.errors import RunFailedError
from prview.models.explaining import InitResult, WrittenFile
from prview.render import initial_files as texts
from prview.service.opening import open_repo
from prview.service.translation import translated_errors

if TYPE_CHECKING:
    from typing import Literal

    from prview.models.requests import InitRequest
    from prview.service.settings import Settings

PARTS = ("policy", "settings", "hook", "pre-commit", "lefthook", "husky", "ci", "mcp")
"""What can be asked for; `hook` is the one that fits the project."""

DEFAULT_PARTS = ("policy", "hook", "ci", "mcp")
HOST_FILES = {"claude": ".mcp.json", "cursor": ".cursor/mcp.json", "vscode": ".vscode/mcp.json"}
"""The hosts that read a file of the project."""

_MAX_FILE = 1024 * 1024


@dataclass(frozen=True)
class _File:
    """A file to write, and what a person does when theirs is kept."""

    path: str
    text: str
    purpose: str
    merge: str
    mode: int = 0o644


async def initialize(settings: Settings, request: InitRequest) -> InitResult:
    """Answer `prview init`. Raises InvalidArgumentsError, RunFailedError."""
    parts = request.parts or DEFAULT_PARTS
    for word, known in (*((part, PARTS) for part in parts), *((host, HOSTS) for host in request.hosts)):
        if word not in known:
            raise InvalidArgumentsError(f"init knows no {word!r}", hint=suggestion(word, known))
    opened = await open_repo(settings, request.repo)
    root = opened.repository.worktree
    if root is None:
        raise RunFailedError("a bare repository has no place for files", hint="run it in a checkout")
    with translated_errors():
        wanted = [_offered(root, part, request.hosts or ("claude",)) for part in dict.fromkeys(parts)]
        return InitResult(
            files=tuple(_put(root, file, force=request.force) for files in wanted for file in files)
        )


def _offered(root: Path, part: str, hosts: tuple[str, ...]) -> tuple[_File, ...]:
    if part == "mcp":
        return tuple(_registration(host) for host in hosts)
    if part == "hook":
        part = _hook_manager(root)
    return (_FILES[part],)


def _hook_manager(root: Path) -> str:
    """The one that the project uses already, else pre-commit."""
    if (root / ".husky").is_dir():
        return "husky"
    names = ("lefthook.yml", "lefthook.yaml", ".lefthook.yml")
    return "lefthook" if any((root / name).exists() for name in names) else "pre-commit"


def _registration(host: str) -> _File:
    command = [*absolute_command("prview", module="prview"), "mcp"]
    text = registration(host, name="prview", command=command)
    merge = f"`prview mcp --register {host}` prints the entry to put into it"
    return _File(HOST_FILES.get(host, ""), text, f"tells {host} where the MCP server is", merge)


def _put(root: Path, file: _File, *, force: bool) -> WrittenFile:
    if not file.path:
        hint = f"it reads no file of the project: {file.merge}"
        return WrittenFile(path="", action="kept", purpose=file.purpose, hint=hint)
    target = _inside(root, file.path)
    before = _content(target)
    if before == file.text.encode():
        return WrittenFile(path=file.path, action="unchanged", purpose=file.purpose)
    if before is not None and not force:
        hint = f"it is there and differs: {file.merge}; --force replaces it"
        return WrittenFile(path=file.path, action="kept", purpose=file.purpose, hint=hint)
    with translated(target, "write"):
        target.parent.mkdir(parents=True, exist_ok=True)
    atomic_write(target, file.text, mode=file.mode)
    action: Literal["written", "overwritten"] = "written" if before is None else "overwritten"
    return WrittenFile(path=file.path, action=action, purpose=file.purpose, hint=_NEXT.get(file.path))


def _inside(root: Path, name: str) -> Path:
    """The place of a file. Raises RunFailedError when a link leads out of the checkout."""
    target = root / name
    for part in (target, *target.parents):
        if part == root:
            break
        if part.is_symlink():
            raise RunFailedError(f"{part} is a link; nothing is written through it", hint="write it by hand")
    return target


def _content(path: Path) -> bytes | None:
    if not path.exists():
        return None
    try:
        return read_bounded(path, _MAX_FILE)
    except StorageError as exc:
        raise RunFailedError(exc.message, hint="move it away, then run init again") from exc


_SNIPPET = "add this by hand:\n{text}"
_FILES = {
    "policy": _File(POLICY_FILE, texts.POLICY, "what stands against a merge", "edit it by hand"),
    "settings": _File(PROJECT_FILE, texts.SETTINGS, "paths and escalation", "edit it by hand"),
    "pre-commit": _File(
        ".pre-commit-config.yaml",
        texts.PRE_COMMIT,
        "runs the gate before a push",
        _SNIPPET.format(text=texts.PRE_COMMIT.partition("\n")[2].rstrip()),
    ),
    "lefthook": _File(
        "lefthook.yml",
        texts.LEFTHOOK,
        "runs the gate before a push",
        _SNIPPET.format(text=texts.LEFTHOOK.rstrip()),
    ),
    "husky": _File(
        ".husky/pre-push", texts.HUSKY, "runs the gate before a push", "add the line `prview gate`", 0o755
    ),
    "ci": _File(
        ".github/workflows/prview.yml", texts.WORKFLOW, "runs the gate on pull requests", "edit it by hand"
    ),
}
_NEXT = {
    ".pre-commit-config.yaml": "then run `pre-commit install --hook-type pre-push`",
    "lefthook.yml": "then run `lefthook install`",
    POLICY_FILE: "it applies once it is in the base branch",
    PROJECT_FILE: "it applies once it is in the base branch",
}
