"""`prview init`: policy, settings, hook, CI and MCP registration for a project. Keeps what is there."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from mcpkit.errors import InvalidArgumentsError
from mcpkit.hosts import PROJECT_FILES, absolute_command, registration
from mcpkit.known_hosts import HOSTS
from oskit.files import StorageError, atomic_write, read_bounded, translated
from prview.domain.located import suggestion
from prview.domain.policy_reading import POLICY_FILE
from prview.domain.project import PROJECT_FILE
from prview.errors import RunFailedError
from prview.models.explaining import InitResult, WrittenFile
from prview.render import initial_files as texts
from prview.service.installation import installed_action
from prview.service.opening import open_repo
from prview.service.translation import translated_errors

if TYPE_CHECKING:
    from typing import Literal

    from prview.models.requests import InitRequest
    from prview.service.settings import Settings

PARTS = ("policy", "settings", "hook", "pre-commit", "lefthook", "husky", "ci", "mcp")
"""What can be asked for; `hook` is the one that fits the project."""

DEFAULT_PARTS = ("policy", "hook", "ci", "mcp")
_MAX_FILE = 1024 * 1024


@dataclass(frozen=True)
class _File:
    """A file to write, and what a person does when theirs is kept."""

    path: str
    text: str
    purpose: str
    merge: str
    mode: int = 0o644
    after: str | None = None


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
        action = await installed_action() if "ci" in parts else None
        wanted = [_offered(root, part, request, action) for part in dict.fromkeys(parts)]
        return InitResult(
            files=tuple(_put(root, file, force=request.force) for files in wanted for file in files)
        )


def _offered(root: Path, part: str, request: InitRequest, action: str | None) -> tuple[_File, ...]:
    if part == "mcp":
        return tuple(_registration(host, local=request.local) for host in request.hosts or ("claude",))
    if part == "ci":
        return (_workflow(action),)
    if part == "hook":
        part = _hook_manager(root)
    return (_FILES[part],)


def _hook_manager(root: Path) -> str:
    """The one that the project uses already, else pre-commit."""
    if (root / ".husky").is_dir():
        return "husky"
    names = ("lefthook.yml", "lefthook.yaml", ".lefthook.yml")
    return "lefthook" if any((root / name).exists() for name in names) else "pre-commit"


def _registration(host: str, *, local: bool) -> _File:
    """For the project's file the command's name alone: a path of this machine is none of another one's."""
    shared = host in PROJECT_FILES and not local
    start = ["prview"] if shared else absolute_command("prview", module="prview")
    text = registration(host, name="prview", command=[*start, "mcp"], shared=shared)
    merge = f"`prview mcp --register {host}{' --shared' if shared else ''}` prints the entry to put into it"
    after = "everybody needs `prview` on the PATH" if shared else "it names this machine: do not commit it"
    return _File(
        PROJECT_FILES.get(host, ""), text, f"tells {host} where the MCP server is", merge, after=after
    )


def _workflow(action: str | None) -> _File:
    after = None
    if action is None:
        after = f"replace {texts.UNKNOWN_ACTION} by the repository that prview was installed from"
    return _File(
        ".github/workflows/prview.yml",
        texts.workflow(action),
        "runs the gate on pull requests",
        "edit it by hand",
        after=after,
    )


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
    return WrittenFile(path=file.path, action=action, purpose=file.purpose, hint=file.after)


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
_IN_BASE = "it applies once it is in the base branch"
_FILES = {
    "policy": _File(
        POLICY_FILE, texts.POLICY, "what stands against a merge", "edit it by hand", after=_IN_BASE
    ),
    "settings": _File(
        PROJECT_FILE, texts.SETTINGS, "paths and escalation", "edit it by hand", after=_IN_BASE
    ),
    "pre-commit": _File(
        ".pre-commit-config.yaml",
        texts.PRE_COMMIT,
        "runs the gate before a push",
        _SNIPPET.format(text=texts.PRE_COMMIT.partition("\n")[2].rstrip()),
        after="then run `pre-commit install --hook-type pre-push`",
    ),
    "lefthook": _File(
        "lefthook.yml",
        texts.LEFTHOOK,
        "runs the gate before a push",
        _SNIPPET.format(text=texts.LEFTHOOK.rstrip()),
        after="then run `lefthook install`",
    ),
    "husky": _File(
        ".husky/pre-push", texts.HUSKY, "runs the gate before a push", "add the line `prview gate`", 0o755
    ),
}
