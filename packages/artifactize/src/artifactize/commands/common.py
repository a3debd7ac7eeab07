"""What several commands share: where they work, how they word failures, how they name a selection."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from artifactize.envelope import ENVELOPE
from mcpkit.cli import Enclosed, usage_error

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from artifactize.domain.selection import Selection
    from artifactize.service.workspace import Workspace

ERRORS = Enclosed(ENVELOPE)
"""`--json` failures: `{"error": {"code", "message"}}`."""

_Request = TypeVar("_Request")
_Result = TypeVar("_Result")
_Function = TypeVar("_Function", bound="Callable[..., Any]")
_FOLDER = click.Path(path_type=Path)
_MAX_FILE = 1024 * 1024


def placed(function: _Function) -> _Function:
    """Add `--repo` and `--state-dir`, which may also stand before the subcommand."""
    repo = click.option("--repo", type=_FOLDER, help="The project.")
    state = click.option("--state-dir", type=_FOLDER, help="Where Runs and verdicts are kept.")
    return repo(state(function))


def json_option(function: _Function) -> _Function:
    """Add `--json`."""
    return click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")(function)


def place(repo: Path | None, state_dir: Path | None) -> tuple[Path | None, Path | None]:
    """Return the options of the subcommand, or those given before it."""
    root = click.get_current_context().find_root().params
    return repo or _path(root.get("repo")), state_dir or _path(root.get("state_dir"))


def _path(text: str | None) -> Path | None:
    return None if text is None else Path(text)


def opener(repo: Path | None, state_dir: Path | None) -> Callable[[], Workspace]:
    """Return what opens the workspace, once."""
    from artifactize.wiring import open_workspace  # deferred: --help needs nothing of it

    found = place(repo, state_dir)
    opened: list[Workspace] = []

    def open_once() -> Workspace:
        if not opened:
            opened.append(open_workspace(*found))
        return opened[0]

    return open_once


def of_run(
    workspace: Callable[[], Workspace],
    service: Callable[[_Request], Awaitable[_Result]],
    request_of: Callable[[str], _Request],
) -> Callable[[str | None], Awaitable[_Result]]:
    """Return the service for a Run that part of an id names, the newest for none."""

    async def call(part: str | None) -> _Result:
        from artifactize.service.naming import Naming  # deferred, as above

        return await service(request_of(await Naming(workspace).run(part)))

    return call


def of_request(
    workspace: Callable[[], Workspace],
    service: Callable[[_Request], Awaitable[_Result]],
    request_of: Callable[[str], _Request],
) -> Callable[[str], Awaitable[_Result]]:
    """Return the service for a request that part of an id names."""

    async def call(part: str) -> _Result:
        from artifactize.service.naming import Naming  # deferred, as above

        return await service(request_of(await Naming(workspace).request(part)))

    return call


def selector(function: _Function) -> _Function:
    """Add the ways to name a selection; `selection` reads them."""
    options = [
        click.argument("artifact", required=False),
        click.option("--all", "everything", is_flag=True, help="Everything declared."),
        click.option("--eval", "eval_id", metavar="ID", help="One eval: ARTIFACT/EVAL."),
        click.option("--evals", metavar="CSV", help="Several evals, separated by commas."),
        click.option("--artifacts", metavar="CSV", help="Several Artifacts, separated by commas."),
        click.option("--evals-file", type=_FOLDER, help="A JSON array of eval ids, or one a line."),
        click.option("--artifacts-file", type=_FOLDER, help="A JSON array of names, or one a line."),
    ]
    for option in reversed(options):
        function = option(function)
    return function


def selection(options: dict[str, Any], *, default_all: bool) -> Selection:
    """Return what the selector options name; more than one, or none, is a usage error."""
    from artifactize.domain.selection import ALL, Selection, SelectionKind  # deferred, as above

    names = ("artifact", "everything", "eval_id", "evals", "artifacts", "evals_file", "artifacts_file")
    given = [name for name in names if options[name]]
    if not given and default_all:
        return ALL
    if len(given) != 1:
        usage_error(
            "name exactly one selection: ARTIFACT, --eval, --evals, --artifacts, --evals-file, "
            "--artifacts-file or --all",
        )
    value = options[given[0]]
    if given[0] == "everything":
        return ALL
    kinds = {"artifact": SelectionKind.ARTIFACT, "eval_id": SelectionKind.EVAL}
    if given[0] in kinds:
        return Selection(kinds[given[0]], (value,))
    kind = SelectionKind.EVALS if given[0].startswith("evals") else SelectionKind.ARTIFACTS
    ids = _listed_in(value) if isinstance(value, Path) else value.split(",")
    return Selection(kind, _distinct(ids))


def _listed_in(file: Path) -> list[str]:
    import json

    from oskit.files import StorageError, read_bounded

    try:
        text = read_bounded(file, _MAX_FILE).decode()
    except StorageError as failure:
        usage_error(failure.message)
    except UnicodeDecodeError:
        usage_error(f"{file} is not UTF-8 text")
    if not text.lstrip().startswith("["):
        return text.splitlines()
    try:
        ids = json.loads(text)
    except ValueError as failure:
        usage_error(f"{file} is not JSON: {failure}")
    if not all(isinstance(each, str) for each in ids):
        usage_error(f"{file} must list strings")
    return list(ids)


def _distinct(ids: list[str]) -> tuple[str, ...]:
    found = tuple(dict.fromkeys(each.strip() for each in ids if each.strip()))
    if not found:
        usage_error("the selection lists no id")
    return found


def kinds(listed: str | None) -> tuple[str, ...]:
    """Return the kinds of evals that an option lists; another word is a usage error."""
    from artifactize.domain.declarations import Kind  # deferred, as above

    executed = [str(kind) for kind in Kind if kind is not Kind.DEPENDENCY]
    found = () if listed is None else _distinct(listed.split(","))
    for each in found:
        if each not in executed:
            usage_error(f"{each!r} is no kind of eval that is executed; there are {', '.join(executed)}")
    return found
